"""How packs look: symbols, colours and arrangement, declared as data."""
