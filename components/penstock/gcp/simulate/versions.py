"""The versions of GKE that the simulated cloud offers: the catalogue's minor versions, each with a made-up patch."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from penstock.catalog import kubernetes_versions
from penstock.core.clock import utc_today

_BUILD: Final = "gke.1000000"
_WHOLE: Final = re.compile(r"\d+\.\d+\.\d+-gke\.\d+")
_CHANNELS: Final = ("RAPID", "REGULAR", "STABLE", "EXTENDED")


def versions(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The result of `getEngineVersions`; with a `versionPrefix`, only what begins with it."""
    prefix = arguments.get("versionPrefix")
    prefix = prefix if isinstance(prefix, str) else ""
    minors = kubernetes_versions.supported_versions("gcp", utc_today())
    offered = [whole(prefix if prefix.count(".") else minor) for minor in reversed(minors) if _begins(prefix, minor)]
    newest = next(iter(offered), "")
    default = whole(usual()) if whole(usual()) in offered else newest
    return {
        "defaultClusterVersion": default,
        "latestMasterVersion": newest,
        "latestNodeVersion": newest,
        "validMasterVersions": offered,
        "validNodeVersions": offered,
        "releaseChannelDefaultVersion": dict.fromkeys(_CHANNELS, default),
        "releaseChannelLatestVersion": dict.fromkeys(_CHANNELS, newest),
        "releaseChannelUpgradeTargetVersion": dict.fromkeys(_CHANNELS, default),
    }


def usual() -> str:
    """The minor version of a cluster that asks for none."""
    return kubernetes_versions.default_version("gcp")


def whole(request: str) -> str:
    """A whole version of GKE's form out of the part of one that a program asks for: `1.35`, `1.35.2`, `1.35.2-gke.`."""
    if _WHOLE.fullmatch(request):
        return request
    number = request.partition("-")[0].rstrip(".")
    return f"{number}-{_BUILD}" if number.count(".") > 1 else f"{number}.1-{_BUILD}"


def _begins(prefix: str, minor: str) -> bool:
    return not prefix or prefix == minor or prefix.startswith(f"{minor}.") or f"{minor}.".startswith(prefix)
