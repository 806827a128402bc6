"""Protection of a resource from being deleted with its stack."""

from __future__ import annotations

from penstock.catalog import holdings
from penstock.resources.verdict import PASS, Verdict, allow
from penstock.resources.view import View
from penstock.rules.checks import ByType, Check, Custom, Either, Is, OneOf
from penstock.rules.settings import Settings

_SPARED = Either(
    OneOf("deletionPolicy", ("PREVENT", "ABANDON")),
    OneOf("deletionProtection", (True, "PROTECTED")),
    Is("deletionProtectionEnabled", value=True),
    Is("enableDropProtection", value=True),
    Is("deleteProtectionState", "DELETE_PROTECTION_ENABLED"),
    OneOf("mode", ("REMOTE_REPOSITORY", "VIRTUAL_REPOSITORY")),
)
"""The provider of Google Cloud, or its API, then refuses the deletion, or leaves the resource where it is.

Remote and virtual repositories hold copies of what is elsewhere.
"""

_REPOSITORY = "gcp:artifactregistry/repository:Repository"


def keeps_resources(*types: str) -> Check:
    """A check that Pulumi, or the provider where it can, keeps resources of these types."""
    by_option, by_policy = Custom((), _by_option), Custom(("deletionPolicy",), _by_policy)
    by_mode = Custom(("deletionPolicy", "mode"), _by_policy)
    of_google = {type_: by_mode if type_ == _REPOSITORY else by_policy for type_ in types if type_.startswith("gcp:")}
    return ByType(dict.fromkeys(types, by_option) | of_google)


def _by_option(it: View, _: Settings) -> Verdict:
    options = it.resource.options
    holding = holdings.holding_of(it.type)
    lost = holding.lost if holding is not None else "all that it holds"
    return allow(options.protect or options.retain_on_delete, f"nothing protects it from deletion, which loses {lost}")


def _by_policy(it: View, settings: Settings) -> Verdict:
    said = _by_option(it, settings)
    spared = _SPARED.judge(it, settings)
    return said if said == PASS or spared.failures else spared
