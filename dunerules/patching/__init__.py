"""What packs change of each other: where a patch leads, what it does there, and who has the last word."""
