"""Files of a repository that decide how a change is reviewed or deployed, by the names that CI systems give them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from penstock.simulate.program_files import PACKAGES

_PLACES: Final = re.compile(
    r"\.github/(workflows|actions)/.+|action\.ya?ml"
    r"|(\.github/|\.gitlab/|docs/)?CODEOWNERS"
    r"|(.+/)?[\w.-]*\.gitlab-ci\.ya?ml|\.gitlab/.+|templates/([\w-]+/)?[\w-]+\.ya?ml"
    r"|(.+/)?Jenkinsfile[\w.-]*"
    r"|(.+/)?penstock_rules/.+"
    r"|(.+/)?vendor/.+\.whl"
)


def pipeline_files(files: Iterable[str]) -> tuple[str, ...]:
    """Return the files that review or deploy, of paths from the top of a repository."""
    return tuple(each for each in files if _PLACES.fullmatch(each) or PACKAGES.fullmatch(PurePosixPath(each).name))
