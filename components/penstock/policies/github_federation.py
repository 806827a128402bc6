"""The issuer of GitHub Actions, and the subjects of pull requests, for policies of every cloud."""

from __future__ import annotations

import re
from typing import Final

ISSUER: Final = "token.actions.githubusercontent.com"
OF_PULL_REQUESTS: Final = re.compile(r"(?s).*:pull_[\w*?]+")
"""Subjects of workflows that a pull request starts without an environment."""

RATIONALE: Final = "A pull request runs code that nobody has approved yet, with the rights of the identity."
