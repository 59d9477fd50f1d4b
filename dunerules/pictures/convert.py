"""Pictures as PNG and PDF. The libraries for that are extras; without them it is said how to get them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from dunerules.files import write_text
from dunerules.pictures.metrics import FAMILY, FONTS
from dunerules.problems import CannotRunError

__all__ = ["DPI", "ENDINGS", "LARGEST", "pdf", "png"]

ENDINGS = (".svg", ".png", ".pdf")
DPI = 300
"""Dots per inch of a PNG."""
LARGEST = 1800
"""Dots along its longer side: a board is looked at on a screen, and printed from PDF."""

_NAMED, _FOUND = (f'font-family="&#x27;{name}' for name in (FAMILY, FAMILY.removesuffix(" Condensed")))
"""How pictures name the font, and how typst finds it: the width of letters is no part of the name there."""


def _missing(library: str, what: str) -> CannotRunError:
    return CannotRunError(f"{what} needs `{library}`: pip install 'dunerules[pictures]'")


def png(svg: str, *, dpi: float = DPI) -> bytes:
    """A picture as PNG."""
    try:
        import resvg_py
    except ImportError:
        raise _missing("resvg-py", "PNG") from None
    fonts = [str(FONTS / f"{name}.ttf") for name in ("regular", "semibold")]
    try:
        data = resvg_py.svg_to_bytes(svg_string=svg, dpi=float(dpi), skip_system_fonts=True, font_files=fonts)
    except ValueError as fault:
        raise CannotRunError(f"the picture cannot be made: {fault}") from None
    return bytes(data)


def pdf(pages: Sequence[tuple[float, float, str]]) -> bytes:
    """Pages, each with its width and height in millimetres, as PDF."""
    try:
        import typst
    except ImportError:
        raise _missing("typst", "PDF") from None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        lines = []
        for number, (wide, high, svg) in enumerate(pages):
            write_text(root / f"{number}.svg", svg.replace(_NAMED, _FOUND))
            image = f'#image("{number}.svg", width: 100%, height: 100%)'
            lines.append(f"#page(width: {wide}mm, height: {high}mm, margin: 0mm)[{image}]")
        source = root / "pages.typ"
        write_text(source, "\n".join(lines))
        return bytes(typst.compile(str(source), root=str(root), font_paths=[str(FONTS)], ignore_system_fonts=True))
