"""Mutants: packs that are changed in one place, to see whether any scenario notices."""
