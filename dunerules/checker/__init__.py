"""The checker: everything wrong with packs, all at once, with places, reasons and fixes."""
