"""The quotas of an account or a project, as its user declares them in the stack's configuration.

config:
  penstock:quotas: {L-417A185B: 384}

On AWS they are service quota codes; on Google Cloud metrics, with the family where one is counted for each:
{NVIDIA_A100_GPUS: 16, "GPUS_PER_GPU_FAMILY:NVIDIA_H200": 64}; on Azure families of sizes:
{standardNDSH100v5Family: 384}.

Without a declaration nothing is held to a quota: what an account may do is not known offline.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from penstock.catalog import quotas
from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding, Severity, Source
from penstock.core.spelling import near_matches, suggestion
from penstock.core.wording import listed
from penstock.description.own_keys import QUOTAS
from penstock.providers import all_providers, built_clouds

KEY: Final = QUOTAS


def declared(config: Mapping[str, str]) -> dict[str, float]:
    """The declared quotas by service quota code, such as L-417A185B, or by metric, such as NVIDIA_A100_GPUS.

    Raises:
        InvalidDescription: the declaration is not a block of known codes and numbers; carries every finding.
    """
    text = config.get(KEY)
    if text is None:
        return {}
    try:
        block = json.loads(text)
    except ValueError:
        block = None
    problems = list(_problems(block))
    if problems:
        raise InvalidDescription(problems)
    return {code: float(value) for code, value in block.items()}


def _problems(block: Any) -> Iterator[Finding]:
    if not isinstance(block, Mapping):
        examples = " or ".join(f"{{{quotas.codes(cloud)[0]}: 384}}" for cloud in built_clouds() if quotas.codes(cloud))
        yield _problem(KEY, "quotas are codes with numbers", f"Write {examples}.")
        return
    for code, value in block.items():
        path = f"{KEY}.{code}"
        if code not in quotas.codes():
            near = near_matches(code, quotas.codes())
            pages = listed(each.quota_page for each in all_providers() if each.quota_page)
            hint = suggestion(near) or f"Codes are those that these show: {pages}."
            yield _problem(path, f"no rule counts the quota {code!r}", hint)
        elif isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            page = next(each.quota_page for each in all_providers() if code in quotas.codes(each.name))
            yield _problem(path, "a quota is a number, 0 or more", f"{page} shows it.")


def _problem(path: str, message: str, hint: str) -> Finding:
    return Finding(code="QUOTA-001", severity=Severity.ERROR, source=Source.SPEC, message=message, hint=hint, path=path)
