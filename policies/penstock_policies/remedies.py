"""Remedies: changes of inputs that keep a rule and break nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock_policies.settings import Settings

    Remedy = Callable[[Mapping[str, Any], Settings], dict[str, Any]]
    """Makes of the inputs of a resource those that are to be set in their place."""
