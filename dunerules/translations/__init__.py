"""Keeping translations: catalogues brought up to date, how far they are, what in them is missing or wrong."""
