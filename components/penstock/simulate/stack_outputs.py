"""The outputs of other stacks that a program refers to, as a person supplies them.

config:
  penstock:stackOutputs:
    acme/network/prod: {vpcId: vpc-0123456789abcdef0}

Or, for one run, `--stack-output acme/network/prod=FILE` with what `pulumi stack output --json` prints. What is not
supplied is unknown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from penstock.core.errors import UnusableStackOutputs
from penstock.description.own_keys import STACK_OUTPUTS
from penstock.graph.values import ENCRYPTED, REDACTED, Secret
from penstock.secrets.forms import names_a_secret

KEY: Final = STACK_OUTPUTS

StackOutputs = Mapping[str, Mapping[str, Any]]
"""The outputs by name, of each stack by its name."""


def declared(config: Mapping[str, str], secret_keys: Iterable[str] = ()) -> StackOutputs:
    """Return the outputs in a stack's configuration. Where one of them is encrypted, all are secret.

    Raises:
        UnusableStackOutputs: the block is not one of stacks, each with its outputs.
    """
    text = config.get(KEY)
    if text is None:
        return {}
    try:
        block = json.loads(text)
    except ValueError:
        block = None
    if not isinstance(block, Mapping) or not all(isinstance(outputs, Mapping) for outputs in block.values()):
        raise UnusableStackOutputs(
            f"{KEY} is a block of stacks, each with its outputs: {{acme/network/prod: {{vpcId: vpc-1}}}}"
        )
    return {name: _with_secrets(outputs, all_=KEY in secret_keys) for name, outputs in block.items()}


def read(options: Iterable[str]) -> StackOutputs:
    """Return the outputs in files: each option is NAME=FILE.

    Raises:
        UnusableStackOutputs: an option has another form, or its file is not a JSON object.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for option in options:
        name, _, file = option.partition("=")
        if not name or not file:
            raise UnusableStackOutputs(
                f"--stack-output takes NAME=FILE, such as acme/network/prod=outputs.json, not {option}"
            )
        found[name] = _with_secrets(_object(Path(file)), all_=False)
    return found


def find_outputs(reference: str, supplied: StackOutputs) -> Mapping[str, Any] | None:
    """Return the outputs supplied for a reference. Either may leave out the organization, or the project too."""
    if reference in supplied:
        return supplied[reference]
    asked = reference.split("/")
    for name, outputs in supplied.items():
        parts = name.split("/")
        length = min(len(asked), len(parts))
        if asked[-length:] == parts[-length:]:
            return outputs
    return None


def _object(file: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnusableStackOutputs(f"{file} cannot be read: {(error.strerror or 'unknown error').lower()}") from None
    except ValueError:
        found = None
    if not isinstance(found, Mapping):
        raise UnusableStackOutputs(f"{file} is not a JSON object of outputs, as `pulumi stack output --json` prints it")
    return found


def _with_secrets(outputs: Mapping[str, Any], *, all_: bool) -> dict[str, Any]:
    """Mark what has the name of a secret: the file does not say which outputs are.

    Without --show-secrets, Pulumi withholds them; such a value is a secret that only Pulumi can read.
    """
    opened = {name: ENCRYPTED if value == REDACTED else value for name, value in outputs.items()}
    return {
        name: Secret(value) if all_ or value == ENCRYPTED or names_a_secret(name) else value
        for name, value in opened.items()
    }
