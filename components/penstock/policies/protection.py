"""Protection of a resource from being deleted with its stack."""

from __future__ import annotations

from penstock.catalog import holdings
from penstock.graph.verdict import PASS, Verdict, allow
from penstock.graph.view import View
from penstock.providers import provider_of
from penstock.rules.checks import ByType, Check, Custom, Either, Is, OneOf
from penstock.rules.settings import Settings

_SPARED = Either(
    OneOf("deletionPolicy", ("PREVENT", "ABANDON")),
    OneOf("deletionProtection", (True, "PROTECTED", "ACTIVE")),
    Is("deletionProtectionEnabled", value=True),
    Is("enableDropProtection", value=True),
    Is("deleteProtectionState", "DELETE_PROTECTION_ENABLED"),
    OneOf("mode", ("REMOTE_REPOSITORY", "VIRTUAL_REPOSITORY")),
)
"""The provider, or the API of its cloud, then refuses the deletion, or leaves the resource where it is.

Remote and virtual repositories hold copies of what is elsewhere.
"""


def keeps_resources(*types: str) -> Check:
    """A check that Pulumi, or the provider where it can, keeps resources of these types."""
    return ByType({type_: _keeps(type_) for type_ in types})


def _keeps(type_: str) -> Check:
    provider = provider_of(type_)
    by_lock = provider.load("deletion_locks") if provider is not None else None
    if by_lock is not None:
        return Custom(by_lock, others=True)
    holding = holdings.holding_of(type_)
    own = holding.protections if holding is not None else ()
    return Custom(_by_policy if own else by_option)


def by_option(it: View, _: Settings) -> Verdict:
    """Return whether Pulumi keeps a resource, by one of its options."""
    options = it.resource.options
    holding = holdings.holding_of(it.type)
    lost = holding.lost if holding is not None else "all that it holds"
    return allow(options.protect or options.retain_on_delete, f"nothing protects it from deletion, which loses {lost}")


def _by_policy(it: View, settings: Settings) -> Verdict:
    said = by_option(it, settings)
    spared = _SPARED.judge(it, settings)
    return said if said == PASS or spared.failures else spared
