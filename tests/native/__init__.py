"""The same game twice: whatever Python plays, native code plays alike.

    python -m tests.native --games 100000 --resume progress.json      shipped packs, examples, all tables and options
    python -m tests.native --batches 200 --resume progress.json       generated packs and effects
    python -m tests.native --games 200 --batches 20 --sanitize        with everything out of bounds an error

At every decision, or every so often, the whole state is compared as JSON: questions, options in their order, frames in
the middle of effects. Blocks are also made of Python's states on the way, so that a game goes from one back end to the
other. Where Python ends with an error, native code must have given up. A run can be stopped and gone on with.
"""
