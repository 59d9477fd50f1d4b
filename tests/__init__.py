"""The tests of dunerules."""
