"""The core: what rules are compiled to. It knows numbers, cells, zones and objects, and neither games nor packs."""
