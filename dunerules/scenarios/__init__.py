"""Scenarios: tests of packs, written in YAML beside them. A position, answers by name, and what must come of it."""

__all__ = ["FOLDER"]

FOLDER = "scenarios"
"""Where the scenarios of a pack lie."""
