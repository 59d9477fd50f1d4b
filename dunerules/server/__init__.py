"""`dunerules server`: a language server over packs, their scenarios and languages."""
