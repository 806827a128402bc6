"""Names that a cloud keeps after a deletion, so that a replacement cannot have them (`preconditions.kept_names`)."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.changes.change_finding import finding
from penstock.changes.diff import Changes
from penstock.core.findings import Finding, Severity
from penstock.preconditions.kept_names import kept_name_of


def reused_names(changes: Changes) -> Iterator[Finding]:
    """Yield a finding for each resource that is replaced by one of the same name, which stays taken."""
    for changed in changes.replaced:
        was, now = changed.before, changed.after
        kept = kept_name_of(now.type) if now is not None else None
        if was is None or now is None or kept is None or was.id != now.id:
            continue  # one with another id is in another place, where the name is free
        name = now.inputs.get(kept.property)
        is_free = kept.unless is not None and kept.unless.holds(was.inputs)
        if isinstance(name, str) and name == was.inputs.get(kept.property) and not is_free:
            yield finding(
                "DIFF-020",
                Severity.ERROR,
                now,
                f"{now.name} ({now.type}) is replaced under the name {name}, and {kept.thing} that is deleted keeps it "
                f"{kept.kept}: the new one cannot be created",
                hint=f"Give {kept.property} another value, or leave it to Pulumi.",
                path=kept.property,
            )
