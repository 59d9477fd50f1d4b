"""What every game has: the verbs and values that packs write all else in terms of."""
