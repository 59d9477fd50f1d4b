"""Board games as data: packs, an effect language, a checker and (soon) the machine that plays them."""

__version__ = "0.2.0"
