"""Rules in words: lexicons, phrases and catalogues of translations."""
