"""Beginnings of packs, objects, verbs and scenarios, made from what the packs of a game declare."""
