"""`python -m tests.wrong`: write what is told about every wrong pack anew."""

from __future__ import annotations

from dataclasses import replace

from ..support import SEPARATOR
from . import FILES, cases, told

for path in FILES:
    text = f"{SEPARATOR}\n".join(str(replace(case, said=told(case))) for case in cases(path))
    if text != path.read_text("utf-8"):
        path.write_text(text, "utf-8", newline="\n")
        print(f"changed {path.name}")
