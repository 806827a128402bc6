"""What Google's APIs allow of single fields is what Google publishes; newer documents or SDKs sound the alarm."""

from __future__ import annotations

import pytest
from tests import gcp_api_values


@pytest.mark.slow
def test_the_values_are_those_of_the_discovery_documents(request: pytest.FixtureRequest) -> None:
    folder, wanted = gcp_api_values.folder(), gcp_api_values.files()
    if request.config.getoption("--accept"):
        folder.mkdir(exist_ok=True)
        for file in folder.glob("*.csv"):
            file.unlink()
        for module, text in wanted.items():
            (folder / f"{module}.csv").write_text(text, encoding="utf-8")

    assert {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.csv")} == wanted
