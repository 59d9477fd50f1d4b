"""Packs: strict YAML, marked nodes, shapes, dependencies, overlays, and the vocabulary they declare."""
