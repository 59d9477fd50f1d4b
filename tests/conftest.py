"""For all tests: what the checker remembers is kept apart from what it remembers for the user."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DUNERULES_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        yield
