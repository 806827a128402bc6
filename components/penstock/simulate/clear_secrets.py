"""Secrets in clear in the configuration of a stack, and in the defaults of its project.

The description and its policies are judged by their own rules. A secret is reported by its key, and never repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any, Final

from penstock.core.findings import Finding
from penstock.description import secrets
from penstock.description.codes import Code
from penstock.description.document import places
from penstock.description.positions import DEEPEST, Path
from penstock.description.problems import Problem, finding
from penstock.secrets import detection
from penstock.simulate.encrypted_config import is_ciphertext

_OWN: Final = "penstock:"
_OF_DEFAULTS: Final = ("default", "value")
"""Where `Pulumi.yaml` has the value of a key."""


def clear_secrets(file: FilePath, config: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield an error for each secret in clear in the `config` of a stack file or of `Pulumi.yaml`."""
    found = [
        (path, message)
        for key, value in config.items()
        if not str(key).startswith(_OWN)
        for path, message in _leaks(value, (str(key),), str(key).rpartition(":")[2])
    ]
    where = places(file) if found else {}
    for path, message in found:
        full = ("config", *path)
        place = next((where[full[:end]] for end in range(len(full), 0, -1) if full[:end] in where), None)
        hint = (
            "Remove it here and run `pulumi config set --secret`, which encrypts it. "
            "A secret that was committed has been read: replace it."
        )
        yield finding(Code.SECRET, Problem(full, message, hint), str(file), place)


def _leaks(value: Any, path: Path, name: str) -> Iterator[tuple[Path, str]]:
    if is_ciphertext(value) or len(path) > DEEPEST:
        return
    if isinstance(value, Mapping | list):
        for step, item, called in detection.named_items(value, name):
            own = name if step in _OF_DEFAULTS and len(path) == 1 else called
            yield from _leaks(item, (*path, secrets.hidden(step) if isinstance(step, str) else step), own)
    elif isinstance(value, str) and (kind := detection.kind_of_secret_in(value)):
        yield path, f"The value looks like {kind} in clear."
    elif _is_scalar(value) and detection.looks_secret(name, str(value)):
        yield path, "The value looks like a secret in clear."


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)
