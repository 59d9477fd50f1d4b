"""The machine that plays what packs say. It knows counters, zones, objects, places and programs, and no game."""
