"""A throw-away verb of the kernel, `halve`, with all that a verb needs: `tests/test_new_verb.py` adds it to a copy."""
