"""Questions about the core language, one a file."""
