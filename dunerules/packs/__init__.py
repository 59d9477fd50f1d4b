"""Packs: strict YAML, marked nodes, shapes, dependencies and overlays."""
