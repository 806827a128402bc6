"""Prints which share of the checks of Checkov, Trivy, KICS and Kubescape our policies keep, and the rest with reasons.

    python tests/benchmarks/peers.py [--open]

A check counts as kept where a policy names its id, which `tests/policies/test_peers.py` holds to its meaning. `--open`
lists those that apply and that no policy keeps as well.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict

from tests.peers.catalogue import PLATFORMS, SEVERE, kept_by, left_out, peer_checks, share

AIMS = "aim: 90 % of critical and high, 75 % of all"


def main(*, with_open: bool) -> None:
    checks = list(peer_checks().values())
    print(f"Checks of peers that a policy keeps, of those that apply ({AIMS})")
    print(f"{'':12}{'critical and high':>20}{'all':>20}   by tool")
    for platform in PLATFORMS:
        of_platform = [check for check in checks if check.platform == platform]
        severe = share(check for check in of_platform if check.severity in SEVERE)
        tools = sorted({check.tool for check in of_platform})
        by_tool = ", ".join(f"{tool} {share(c for c in of_platform if c.tool == tool)}" for tool in tools)
        print(f"{platform:12}{severe!s:>20}{share(of_platform)!s:>20}   {by_tool}")
    print("\nLeft out, with the reason")
    reasons: dict[str, list[str]] = defaultdict(list)
    for id_, reason in left_out().items():
        reasons[reason].append(id_)
    for reason, ids in sorted(reasons.items(), key=lambda each: -len(each[1])):
        print(f"{len(ids):5}  {reason}\n       {' '.join(ids)}")
    if with_open:
        missing = [check for check in checks if check.id not in kept_by() and check.id not in left_out()]
        print(f"\nOpen: {Counter(check.platform for check in missing)}")
        for check in missing:
            print(f"{check.platform:11} {check.severity:9} {check.id:16} {' '.join(sorted(check.types))[:80]}")


if __name__ == "__main__":
    main(with_open="--open" in sys.argv[1:])
