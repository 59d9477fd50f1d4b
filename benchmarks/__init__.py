"""How fast dunerules is, as ratios to a bare YAML load of the same files: `python -m benchmarks`."""
