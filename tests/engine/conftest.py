"""What the tests under the real Pulumi CLI share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Path]:
    def write(program: str, config: str = "config: {}") -> Path:
        folder = tmp_path / "many"
        folder.mkdir()
        (folder / "Pulumi.yaml").write_text("{name: many, runtime: python, config: {size: {default: 3}}}")
        (folder / "Pulumi.dev.yaml").write_text(config)
        (folder / "__main__.py").write_text(program)
        return folder

    return write
