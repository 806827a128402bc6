"""What policies on federation with GitHub Actions share: the issuer, and subjects of pull requests."""

from __future__ import annotations

import re
from typing import Final

ISSUER: Final = "token.actions.githubusercontent.com"
OF_PULL_REQUESTS: Final = re.compile(r"(?s).*:pull_[\w*?]+")
"""Subjects of workflows that a pull request starts, where no environment stands in their place."""

RATIONALE: Final = "A pull request runs code that nobody has approved yet, with the rights of the identity."
