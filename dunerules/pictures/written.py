"""Pictures as files: SVG as it is, PNG and PDF made from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dunerules.files import write_bytes
from dunerules.nearest import nearest
from dunerules.output import say
from dunerules.pictures import svg
from dunerules.pictures.card import Picture
from dunerules.pictures.convert import DPI, ENDINGS, LARGEST, pdf, png
from dunerules.pictures.gallery import named
from dunerules.pictures.metrics import lacking
from dunerules.pictures.subject import Gallery
from dunerules.problems import CannotRunError

__all__ = ["as_svg", "faults", "picture_bytes", "write_all", "write_pages", "write_picture"]

_MOST = 20
"""Letters that are named."""


def as_svg(picture: Picture, language: str, *, font: bool = True) -> str:
    """A whole SVG file; with the font in it, it looks the same everywhere."""
    return svg.document(picture.width, picture.height, picture.body, picture.title, language, font=font)


def picture_bytes(picture: Picture, language: str, ending: str) -> bytes:
    """A picture as the bytes of a file."""
    if ending == ".png":
        sharp = min(DPI, LARGEST * 25.4 / max(picture.width, picture.height))
        return png(as_svg(picture, language, font=False), dpi=sharp)
    if ending == ".pdf":
        return pdf([(picture.width, picture.height, as_svg(picture, language, font=False))])
    return as_svg(picture, language).encode("utf-8")


def faults(picture: Picture, ending: str) -> Iterator[str]:
    """What whoever prints a picture should know: a text that does not fit, letters that become boxes.

    An SVG has none of the latter: where it is shown, some other font has them.
    """
    if picture.tight:
        yield f"the texts of `{picture.title}` do not fit at 7.5 pt"
    boxes = lacking(svg.texts(picture.body)) if ending != ".svg" else ""
    if boxes:
        some = f"{boxes[:_MOST]} ..." if len(boxes) > _MOST else boxes
        yield f"`{picture.title}` has letters that the font lacks, drawn as boxes: {some}; SVG can show them"


def write_picture(picture: Picture, language: str, out: Path) -> None:
    """One picture, as what the name of the file says."""
    ending = out.suffix.lower()
    if ending not in ENDINGS:
        near = nearest(ending, ENDINGS)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise CannotRunError(f"`{out.name}` does not say what to write: expected the ending {', '.join(ENDINGS)}{hint}")
    write_bytes(out, picture_bytes(picture, language, ending))


def write_pages(pages: Sequence[Picture], language: str, out: Path) -> None:
    """Pages as one PDF."""
    if out.suffix.lower() != ".pdf":
        raise CannotRunError(f"`{out.name}`: pages are written as PDF, expected the ending .pdf")
    write_bytes(out, pdf([(page.width, page.height, as_svg(page, language, font=False)) for page in pages]))


def write_all(gallery: Gallery, folder: Path, kind: str, *, dark: bool) -> list[str]:
    """Every picture into a folder, named like what it shows; their faults."""
    folder.mkdir(parents=True, exist_ok=True)
    found: list[str] = []
    count = 0
    for name, picture in named(gallery, dark=dark):
        data = picture_bytes(picture, gallery.locale.code, f".{kind}")
        write_bytes(folder / f"{name.replace('/', '-')}.{kind}", data, durable=False)
        count += 1
        found += faults(picture, f".{kind}")
    say(f"wrote {count} pictures to {folder}")
    return found
