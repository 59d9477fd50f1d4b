"""How fast dunerules is, as ratios to others in the same run: `python -m benchmarks`."""
