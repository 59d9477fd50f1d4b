"""A language as data: words with their forms, phrases, plural rules, typography, catalogues, and the names in packs."""
