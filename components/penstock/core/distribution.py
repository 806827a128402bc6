"""The name under which package indexes have Penstock."""

from __future__ import annotations

from typing import Final

DISTRIBUTION: Final = "penstock-iac"
"""The distribution; the name `penstock` on PyPI belongs to another project."""


def with_extras(*extras: str) -> str:
    """Return a requirement, such as `penstock-iac[aws]`."""
    return f"{DISTRIBUTION}[{','.join(extras)}]"


def install_command(extra: str) -> str:
    """Return the command that installs an extra, such as `pip install 'penstock-iac[mcp]'`."""
    return f"pip install '{with_extras(extra)}'"
