"""The effect language: text, tree, names, checks, programs, and the one canonical way to write it."""
