"""What the GitHub action runs: scripts, each by its path. They use the command `dunerules` and none of its code."""
