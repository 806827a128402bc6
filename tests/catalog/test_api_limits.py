"""The limits of single fields are those that AWS publishes; a newer botocore or SDK sounds the alarm."""

from __future__ import annotations

import pytest
from tests import api_limits


@pytest.mark.slow
def test_the_limits_are_those_of_botocore(request: pytest.FixtureRequest) -> None:
    folder, wanted = api_limits.folder(), api_limits.files()
    if request.config.getoption("--accept"):
        folder.mkdir(exist_ok=True)
        for file in folder.glob("*.csv"):
            file.unlink()
        for module, text in wanted.items():
            (folder / f"{module}.csv").write_text(text, encoding="utf-8")

    assert {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.csv")} == wanted
