"""The same game twice: whatever Python plays, native code plays alike.

    python -m tests.native --games 100000 --jobs 2 --resume progress.json            everything
    python -m tests.native --games 3000 --jobs 2 --sanitize --resume other.json      whatever is out of bounds is found

Three of five games are whole games of random bots at all tables: all packs, examples and packs of the benchmark, all
numbers of players, all options. Half of them are dealt out by table and half by pack. The others are generated effects
from random positions, and games of generated packs. Libraries of tables are compiled as users compile them.

At every decision the whole states are compared as numbers: the question, its options in order, frames in the middle
of effects. As JSON, which hashes are made of, they are compared at every 16th decision, at the end, and at every
decision in the first game of a table and in all that is generated. At every 11th decision the game goes on in a block
that was made of the state of Python, and at another one in a state that was made of the JSON of the block. At every
50th, damaged states are given to native code. When a game is over, native code plays it alone, in one call: the same
decisions, winners, standings and state. Where Python ends with an error, native code must have given up. Files of
`dunerules sim` by both back ends are compared for some tables. A run can be stopped and gone on with.
"""
