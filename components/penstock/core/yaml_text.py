"""Reading and writing YAML: by libyaml, where PyYAML has it, in a tenth of the time."""

from __future__ import annotations

from typing import Any, Final

import yaml

LOADER: Final = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_DUMPER: Final = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class JsonLoader(yaml.SafeLoader):
    """Loader of YAML as Kubernetes reads it: as JSON, which has no dates."""


JsonLoader.yaml_implicit_resolvers = {
    first: [(tag, form) for tag, form in forms if tag != "tag:yaml.org,2002:timestamp"]
    for first, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def yaml_text(*documents: Any) -> str:
    """Return documents with their keys in the order that they have."""
    text: str = yaml.dump_all(documents, Dumper=_DUMPER, sort_keys=False)
    return text


def yaml_data(text: str) -> Any:
    """Return the data of the one document in a text of ours."""
    return yaml.load(text, LOADER)  # noqa: S506 - a safe loader
