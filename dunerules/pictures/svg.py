"""Pieces of SVG: text is escaped once, numbers are short, and nothing in it can lead anywhere."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from html import escape, unescape

from dunerules.files import read_regular
from dunerules.look.record import BOX, Symbol
from dunerules.pictures.metrics import FAMILY, FONTS, shown
from dunerules.pictures.metrics import width as text_width
from dunerules.visible import visible

__all__ = ["circle", "document", "drawing", "inline", "line", "number", "rect", "tag", "texts", "words"]

_UNPRINTABLE = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def number(value: float) -> str:
    """A number without needless digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


def tag(name: str, *inner: str, **attributes: str | float) -> str:
    """An element around others. `stroke_width` is `stroke-width`, `class_` is `class`."""
    head = [name]
    for key, value in attributes.items():
        text = value if isinstance(value, str) else number(value)
        head.append(f'{key.rstrip("_").replace("_", "-")}="{escape(text)}"')
    opened = " ".join(head)
    return f"<{opened}>{''.join(inner)}</{name}>" if inner else f"<{opened}/>"


def words(text: str, x: float, y: float, size: float, colour: str, *, bold: bool = False, anchor: str = "") -> str:
    """A line of text from its baseline."""
    more: dict[str, str] = {}
    if bold:
        more["font_weight"] = "600"
    if anchor:
        more["text_anchor"] = anchor
    letters = escape(_UNPRINTABLE.sub("", shown(visible(text))), quote=False)
    return tag("text", letters, x=x, y=y, font_size=size, fill=colour, **more)


def rect(x: float, y: float, width: float, height: float, fill: str, *, radius: float = 0, edge: str = "") -> str:
    """A box, perhaps with an edge."""
    more: dict[str, str | float] = {"rx": radius} if radius else {}
    if edge:
        more |= {"stroke": edge, "stroke_width": 0.25}
    return tag("rect", x=x, y=y, width=max(0.0, width), height=max(0.0, height), fill=fill, **more)


def circle(x: float, y: float, radius: float, fill: str, *, edge: str = "", thick: float = 0.25) -> str:
    """A disc."""
    more: dict[str, str | float] = {"stroke": edge, "stroke_width": thick} if edge else {}
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def line(x: float, y: float, to_x: float, to_y: float, colour: str, thick: float, *, dashes: str = "") -> str:
    """A straight line."""
    more: dict[str, str | float] = {"stroke_dasharray": dashes} if dashes else {}
    return tag("line", x1=x, y1=y, x2=to_x, y2=to_y, stroke=colour, stroke_width=thick, **more)


def drawing(
    symbol: Symbol, x: float, y: float, size: float, colour: str, behind: str, *, height: float | None = None
) -> str:
    """A symbol in a square, or stretched to a height."""
    tall = size if height is None else height
    moved = f"translate({number(x)} {number(y)}) scale({size / BOX:.4f} {tall / BOX:.4f})"
    inner = [tag("path", d=symbol.path, fill=colour, fill_rule="evenodd")]
    if symbol.over:
        inner.append(tag("path", d=symbol.over, fill=behind, fill_rule="evenodd"))
    return tag("g", *inner, transform=moved)


@cache
def _fonts() -> str:
    """The font inside of the picture, so that it looks the same everywhere."""
    faces = []
    for file, weight in (("regular", 400), ("semibold", 600)):
        data = b64encode(read_regular(FONTS / f"{file}.woff2")).decode("ascii")
        source = f"url(data:font/woff2;base64,{data})"
        faces.append(f'@font-face{{font-family:"{FAMILY}";font-weight:{weight};src:{source}}}')
    return f"<style>{''.join(faces)}</style>"


def document(width: float, height: float, body: str, title: str, language: str, *, font: bool) -> str:
    """A whole picture in millimetres, with what it shows as its title."""
    head = {"xmlns": "http://www.w3.org/2000/svg", **_head(width, height, language)}
    return f"{_opened(head, title)}{_fonts() if font else ''}{body}</svg>\n"


def inline(width: float, height: float, body: str, title: str, language: str) -> str:
    """The same as a part of a page, which may have another font: every text is as wide as in ours."""
    return f"{_opened(_head(width, height, language), title)}{_TEXT.sub(_as_wide, body)}</svg>"


def _head(width: float, height: float, language: str) -> dict[str, str]:
    return {
        "viewBox": f"0 0 {number(width)} {number(height)}", "width": f"{number(width)}mm",
        "height": f"{number(height)}mm", "role": "img", "lang": language, "font-family": f"'{FAMILY}', sans-serif",
    }  # fmt: skip


def _opened(head: dict[str, str], title: str) -> str:
    named = escape(_UNPRINTABLE.sub("", visible(title)), quote=False)
    attributes = " ".join(f'{name}="{escape(value)}"' for name, value in head.items())
    return f"<svg {attributes}><title>{named}</title>"


_TEXT = re.compile(r'<text ([^>]*?font-size="([0-9.]+)"[^>]*)>([^<]*)</text>')


def texts(body: str) -> str:
    """All that is written in a picture."""
    return "".join(unescape(found[3]) for found in _TEXT.finditer(body))


def _as_wide(found: re.Match[str]) -> str:
    wide = text_width(unescape(found[3]), float(found[2]), bold="font-weight" in found[1])
    return f'<text {found[1]} textLength="{number(wide)}" lengthAdjust="spacingAndGlyphs">{found[3]}</text>'
