"""Scenarios: tests of packs, written in YAML beside them. A position, answers by name, and what must come of it."""
