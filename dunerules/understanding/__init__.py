"""What packs mean: merged, named, resolved and lowered, with nothing judged."""
