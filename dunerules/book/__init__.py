"""The rules reference of packs in one language: a single HTML page that needs nothing else."""
