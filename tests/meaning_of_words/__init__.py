"""Whether words say what an effect does: each single change of what is meant must change what is printed.

    python -m tests.meaning_of_words --effects 2000 --seed 1

`units` are the texts there are (of every pack, and generated ones), `changes` makes every tree that differs from one in
a single place, `structure` those that have the same parts put together in another way, `references` those that speak of
somebody or something else that is known there, `definitions` does so in values of packs that are written out,
`synonyms` is the one list of differences that need not show, `asking` prints in words and icons, and compares.
"""
