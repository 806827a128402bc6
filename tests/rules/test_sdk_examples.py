"""Examples of the SDKs' own documentation raise no false error: those that do are really refused, and it says why."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from penstock.catalog import regions
from penstock.core.errors import ProgramFailed
from penstock.simulate.run import rehearse

SEEDS = (11, 23)
SIZE = {"aws": 30, "gcp": 30, "kubernetes": 10}
"""Examples of each SDK for each seed."""

REFUSED = {
    "aws.cloudwatch.metric_stream: Filters": (
        "aws-s3-acl-ownership",
        "S3 user guide, about-object-ownership: new buckets refuse ACLs, and the example does not set the ownership",
    ),
    "gcp.apigee.addons_config: Apigee Addons Full": (
        "gcp-api-on-before-use",
        "Service Usage documentation: the connection does not wait for the API that the example turns on",
    ),
}
"""What a cloud refuses of its own SDK's examples: by example, the code of the only finding and who says so."""

_FENCE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
_OF_A_PAGE = 2
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Example(NamedTuple):
    """A program of a page of documentation, named by its module and the heading above it."""

    name: str
    code: str

    def run(self) -> None:
        """Run the program."""
        exec(self.code, {})


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
def test_an_example_is_refused_for_a_reason_only(tmp_path: Path) -> None:
    drawn = {example for seed in SEEDS for sdk in SIZE for example in examples(sdk, seed)}
    found = {example.name: codes for example in sorted(drawn) if (codes := errors(example, tmp_path)) is not None}

    assert len(found) > len(drawn) // 2
    assert {name: codes for name, codes in found.items() if codes} == {
        name: {code} for name, (code, _) in REFUSED.items()
    }


def examples(sdk: str, seed: int) -> list[Example]:
    """Return examples of an SDK that are drawn at random, the same ones for a seed."""
    spec = find_spec(f"pulumi_{sdk}")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    pages, draw = sorted(root.rglob("*.py")), random.Random(seed)
    draw.shuffle(pages)
    found: list[Example] = []
    for page in pages:
        name = ".".join((sdk, *page.relative_to(root).with_suffix("").parts))
        on_page = list(dict.fromkeys(of_page(name, page)))
        found += draw.sample(on_page, min(len(on_page), _OF_A_PAGE))
        if len(found) >= SIZE[sdk]:
            break
    return found


def of_page(name: str, page: Path) -> Iterator[Example]:
    """Yield the examples in the docstrings of a module."""
    text = page.read_text(encoding="utf-8")
    if "```python" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            written = ast.get_docstring(node) or ""
            for fence in _FENCE.finditer(written):
                above = _HEADING.findall(_FENCE.sub("", written[: fence.start()]))
                yield Example(f"{name}: {above[-1] if above else ''}", fence[1])


def errors(example: Example, root: Path) -> set[str] | None:
    """Return the codes of what blocks an example, before and during its first run; None where it does not run."""
    region = next((each.name for each in regions.all_regions("aws") if each.name in example.code), "us-west-2")
    config = {"aws:region": region, "gcp:project": "acme-project", "gcp:region": "us-central1"}
    runs: list[Any] = []
    for preview in (True, False):
        try:
            runs.append(rehearse(example.run, config=config, root=root, preview=preview))
        except ProgramFailed:
            return None  # it uses what it does not create, or the other names of another version
    return {finding.code for run in runs for finding in run.findings if finding.blocks}
