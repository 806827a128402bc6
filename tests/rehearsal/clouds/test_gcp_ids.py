"""The forms of ids are those that the provider's SDK tells; a newer SDK sounds the alarm."""

from __future__ import annotations

import pytest
from tests import gcpids


@pytest.mark.slow
def test_ids_have_the_forms_that_the_sdk_tells(request: pytest.FixtureRequest) -> None:
    wanted = gcpids.text()
    if request.config.getoption("--accept"):
        gcpids.file().write_text(wanted, encoding="utf-8")

    assert gcpids.file().read_text(encoding="utf-8") == wanted
