"""Random effects, abilities and whole packs, well typed by construction, and all that must hold while they are played.

    python -m tests.generator --effects 50000 --packs 500 --seed 1 --jobs 2 --resume progress.json

Texts are made over the words of the shipped packs and of made-up ones (`words`), by a grammar that knows types
(`nouns`, `steps`, `abilities`), put into packs (`packs`), checked (`load`), and played from random positions
(`positions`, `play`) while `properties` look on. What fails is made small (`minimise`) and told once (`report`). Every
case is a function of the seed and its number, whatever the number of jobs.
"""
