"""What a seat sees, arranged: one tree of panels for every screen."""
