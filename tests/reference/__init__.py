"""The meaning of the effect language a second time: slow, plain, written from docs/meaning.md alone."""
