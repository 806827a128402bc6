"""The forms of keys and values of labels, which taints and annotations share.

Source: Kubernetes documentation, labels and selectors, syntax and character set.
"""

from __future__ import annotations

import re
from typing import Final

SUBDOMAIN: Final = re.compile(r"(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
"""A DNS subdomain as RFC 1123 has it."""

_VALUE: Final = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")


def is_key(key: str) -> bool:
    """Return whether a text can be the key of a label, a taint or an annotation."""
    prefix, slash, name = key.rpartition("/")
    return bool(name) and bool(_VALUE.fullmatch(name)) and (not slash or bool(SUBDOMAIN.fullmatch(prefix)))


def is_value(value: str) -> bool:
    """Return whether a text can be the value of a label or a taint."""
    return bool(_VALUE.fullmatch(value))
