"""Rules in words and icons, printed from their meaning by the words of a language."""
