"""The type tokens of the clouds by name: `types.py` of each cloud.

`python -m tools.type_tokens TOKEN ...` adds tokens and writes the files anew. A name is the module and the type of its
token: `aws:ec2/launchTemplate:LaunchTemplate` is `EC2_LAUNCH_TEMPLATE`.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import penstock
from penstock.providers import Provider, all_providers

_PACKAGE = Path(penstock.__file__).parent
_LONGEST_LINE = 120
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def name_of(token: str) -> str:
    """Return the name of a type token; a type that begins with its module bears no other."""
    _, module, type_ = token.split(":")
    module, type_ = (_WORDS.sub("_", text).upper() for text in (module.partition("/")[0], type_))
    return type_ if type_.startswith(module) else f"{module}_{type_}"


def tokens_of(provider: Provider) -> set[str]:
    """Return the tokens that the file of a provider has."""
    found = vars(import_module(f"penstock.{provider.name}.types"))
    return {value for value in found.values() if isinstance(value, str) and value.startswith(f"{provider.package}:")}


def text_of(provider: Provider, tokens: set[str]) -> str:
    """Return the content of the file of a provider."""
    head = f'"""Type tokens of {provider.title}, named by module and type; `tools.type_tokens` writes them."""\n\n'
    lines = (_line(name_of(token), token) for token in sorted(tokens, key=name_of))
    return "\n".join([f"{head}from __future__ import annotations\n", *lines, ""])


def _line(name: str, token: str) -> str:
    line = f'{name} = "{token}"'
    return line if len(line) <= _LONGEST_LINE else f'{name} = (\n    "{token}"\n)'


def file_of(provider: Provider) -> Path:
    """Return the file of a provider's tokens."""
    return _PACKAGE / provider.name / "types.py"


def main() -> None:
    """Add the tokens of the command line."""
    for provider in all_providers():
        if file_of(provider).is_file():
            added = {token for token in sys.argv[1:] if token.startswith(f"{provider.package}:")}
            file_of(provider).write_text(text_of(provider, tokens_of(provider) | added), encoding="utf-8")


if __name__ == "__main__":
    main()
