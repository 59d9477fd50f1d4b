"""A game in words: what seats are asked, what they may do, what has happened, for one of them to read."""
