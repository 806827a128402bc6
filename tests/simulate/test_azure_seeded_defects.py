"""What the author of a plain platform on Azure would meet late in `pulumi up`; written before any rule was read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.nd_platform import platform
from tests.nd_platform.program import CONFIG, Misconfiguration
from tests.simulate.azure_misconfigurations import clusters, lustre, networks, pools, stores, trust
from tests.simulate.azure_misconfigurations.open import UNKNOWN_IN_PREVIEWS, UNREPORTED, WARNED
from tests.simulate.azure_right_variants import VARIANTS

from penstock.core.findings import Finding
from penstock.testing import rehearse

FAMILIES = (networks, clusters, pools, lustre, stores, trust)
_SOME = 16
"""Of so many programs, `make test` tries one; each is 70 resources."""


def findings(misconfiguration: Misconfiguration, *, preview: bool) -> tuple[Finding, ...]:
    return rehearse(platform(misconfiguration), config=CONFIG, preview=preview).findings


def misconfigurations() -> Iterator[object]:
    """Each in `up` and in a preview."""
    for family in FAMILIES:
        title = family.__name__.rpartition(".")[2]
        for at, (wrong, (names, misconfiguration, _)) in enumerate(family.MISCONFIGURATIONS.items()):
            for preview in (False, True):
                marks = [pytest.mark.nightly if at % _SOME or preview else pytest.mark.slow]
                if f"{title}: {wrong}" in UNREPORTED | (UNKNOWN_IN_PREVIEWS if preview else frozenset()):
                    marks.append(pytest.mark.xfail(reason="not reported", strict=True))
                test = f"{title}: {wrong}, {'preview' if preview else 'up'}"
                yield pytest.param(wrong, names.split(), misconfiguration, preview, marks=marks, id=test)


def variants() -> Iterator[object]:
    for at, (right, variant) in enumerate(VARIANTS.items()):
        for preview in (False, True):
            mark = pytest.mark.nightly if at % _SOME or preview else pytest.mark.slow
            yield pytest.param(variant, preview, marks=mark, id=f"{right}, {'preview' if preview else 'up'}")


@pytest.mark.parametrize("preview", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["up", "preview"])
def test_the_right_program_has_no_finding(preview: bool) -> None:
    assert findings({}, preview=preview) == ()


@pytest.mark.parametrize(("variant", "preview"), list(variants()))
def test_a_right_variant_is_not_refused(variant: Misconfiguration, preview: bool) -> None:
    assert [finding for finding in findings(variant, preview=preview) if finding.blocks] == []


@pytest.mark.parametrize(("wrong", "names", "misconfiguration", "preview"), list(misconfigurations()))
def test_a_misconfiguration_is_reported_with_its_fix(
    wrong: str, names: list[str], misconfiguration: Misconfiguration, preview: bool
) -> None:
    reported = findings(misconfiguration, preview=preview)
    found = [finding for finding in reported if finding.urn and finding.urn.rpartition("::")[2] in names]

    assert found
    assert any(finding.blocks for finding in found) != (wrong in WARNED)
    assert all(finding.hint for finding in reported)
