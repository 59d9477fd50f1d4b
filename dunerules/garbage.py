"""Python's garbage collector off, while much is made and little dropped."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["uncollected"]

P = ParamSpec("P")
Result = TypeVar("Result")


def uncollected(function: Callable[P, Result]) -> Callable[P, Result]:
    """A check makes many small records and drops few: looking for garbage meanwhile costs a tenth and finds none."""

    @wraps(function)
    def run(*arguments: P.args, **named: P.kwargs) -> Result:
        collecting = gc.isenabled()
        gc.disable()
        try:
            return function(*arguments, **named)
        finally:
            if collecting:
                gc.enable()

    return run
