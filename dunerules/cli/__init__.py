"""One small module a command; the work is done elsewhere."""
