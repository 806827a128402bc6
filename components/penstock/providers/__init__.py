"""One record for each provider: all that shared code asks of a cloud, so that adding one edits no shared code.

Each provider is a folder with a `record.py`; its parts are found by their names (`provider.PARTS`) and loaded when a
program uses that cloud. So these records lie below everything else, and nothing here imports the rest of Penstock.
"""

from __future__ import annotations

from penstock.providers.provider import PluginTraits, Provider, TagCase
from penstock.providers.registry import (
    all_providers,
    built_clouds,
    built_providers,
    plugin_of,
    priced_clouds,
    provider_named,
    provider_of,
    register,
    room_of,
    sized_clouds,
    unregister,
)

__all__ = [
    "PluginTraits",
    "Provider",
    "TagCase",
    "all_providers",
    "built_clouds",
    "built_providers",
    "plugin_of",
    "priced_clouds",
    "provider_named",
    "provider_of",
    "register",
    "room_of",
    "sized_clouds",
    "unregister",
]
