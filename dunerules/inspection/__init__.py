"""All that `dunerules check` looks at: packs, the scenarios beside them, their texts in the languages they claim."""
