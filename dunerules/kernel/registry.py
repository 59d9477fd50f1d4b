"""The verbs of the kernel, found in `verbs/`: whatever stands there is one."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from dunerules.dsl.vocabulary import Kernel, Verb
from dunerules.kernel import verbs
from dunerules.kernel.bench import Describe

__all__ = ["DESCRIPTIONS", "FACTS", "KERNEL_VERBS"]

_FILES = [import_module(f"{verbs.__name__}.{file.name}") for file in iter_modules(verbs.__path__)]

KERNEL_VERBS: dict[str, Verb] = {
    verb.name: verb for verb in sorted((file.VERB for file in _FILES), key=lambda verb: verb.name)
}
DESCRIPTIONS: dict[str, Describe] = {file.VERB.name: file.steps for file in _FILES}
FACTS: dict[str, Kernel] = {name: verb.kernel for name, verb in KERNEL_VERBS.items() if verb.kernel is not None}
