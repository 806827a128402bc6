"""The requirement of a new repository: the Penstock that writes it, from where it was installed.

A name on a package index can belong to somebody else. So a repository names an index only if this Penstock came from
one; else it carries the wheel, which pip installs by its path.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from penstock import __version__
from penstock.core.distribution import DISTRIBUTION, with_extras

WHEEL: Final = Path("vendor", f"{DISTRIBUTION.replace('-', '_')}-{__version__}-py3-none-any.whl")
"""Where a repository keeps the wheel."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a repository requires.

    Attributes:
        line: What pip installs, a line of `requirements.txt`.
        in_vendor: Whether it is the wheel in the repository.
        wheel: The content of that wheel; None if only the user can build it.
    """

    line: str
    in_vendor: bool
    wheel: bytes | None = None


def requirement(*extras: str) -> Requirement:
    """Return the requirement of the running Penstock."""
    try:
        origin = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:  # run from a folder on the path
        origin = "{}"
    if origin is None:  # as PEP 610 says, it came from an index
        return Requirement(f"{with_extras(*extras)}=={__version__}", in_vendor=False)
    line = f"./{WHEEL.as_posix()}[{','.join(extras)}]"
    return Requirement(line, in_vendor=True, wheel=_wheel(json.loads(origin)))


def _wheel(origin: Mapping[str, Any]) -> bytes | None:
    """Return the content of the wheel file that was installed, if it is still the same."""
    url = urlsplit(origin.get("url", ""))
    file = Path(url2pathname(url.path))
    archive = origin.get("archive_info")
    if archive is None or url.scheme != "file" or file.name != WHEEL.name:
        return None
    try:
        content = file.read_bytes()
    except OSError:
        return None
    known = archive.get("hashes", {}).get("sha256")  # uv records none
    return content if known in (None, sha256(content).hexdigest()) else None
