"""Playing in a terminal or a pipe: any game, people and bots, in any language there are words for."""
