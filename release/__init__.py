"""What must hold before a version is released. `python -m release` says whether it does."""
