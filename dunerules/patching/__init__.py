"""What packs change of each other: where a patch reaches, what it does there, and who has the last word."""
