"""Pictures of what packs have, as SVG: made from their rules, their look and a language."""
