"""For users' own unit tests: rehearse a platform, a component or a whole program, and look at what it would build.

from penstock.testing import rehearse

def test_training_nodes_stay_in_one_zone() -> None:
    graph = rehearse(description).graph
    (group,) = graph.of_type("aws:eks/nodeGroup:NodeGroup")
    assert len(group.inputs["subnetIds"]) == 1

def test_another_pool_costs_no_data() -> None:
    assert not diff(rehearse(description), rehearse(with_another_pool)).data_lost

def test_what_is_regulated_is_kept() -> None:
    assert violations(rehearse(description), {"packs": ["regulated"], "environment": "prod"}) == ()
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from penstock import description
from penstock.app.description import rehearse_platform
from penstock.changes.diff import Changes, diff
from penstock.core.findings import Finding
from penstock.description.platform import Spec
from penstock.description.policies import judged
from penstock.rules.settings import KEY
from penstock.simulate.run import Rehearsal
from penstock.simulate.run import rehearse as _rehearse

__all__ = ["Changes", "Rehearsal", "diff", "rehearse", "violations"]


def rehearse(
    what: Spec | Mapping[str, Any] | Callable[[], object],
    *,
    stack: str = "test",
    config: Mapping[str, str] | None = None,
    preview: bool = False,
) -> Rehearsal:
    """Rehearses a description (a `Spec`, or the mapping below `penstock:platform`) or a function that makes resources.

    Raises:
        InvalidDescription: the description cannot be built.
        ProgramFailed: the function raised.
        TypeError: `what` is something else, such as the path of a program.
    """
    if isinstance(what, Mapping):
        what = description.parse(what)
    if not isinstance(what, Spec) and not callable(what):
        raise TypeError(
            f"rehearse takes a description or a function that makes resources, got {type(what).__name__}. Run "
            "`penstock rehearse` on a folder or a stack file, or load its description with penstock.description.load."
        )
    if isinstance(what, Spec):
        return rehearse_platform(what, project="penstock", stack=stack, config=config, preview=preview)
    return _rehearse(what, project="penstock", stack=stack, config=config, preview=preview)


def violations(rehearsal: Rehearsal, policies: Mapping[str, Any] | None = None) -> tuple[Finding, ...]:
    """Return the findings of policies on a rehearsal; `policies` is as below `penstock:policies` in a stack file.

    Raises:
        InvalidDescription: `policies` has no right form, or names a rule that does not exist.
    """
    from penstock.app.judge import judge_policies

    settings = judged({KEY: json.dumps(policies or {})})
    return judge_policies(rehearsal.graph, settings, beside=rehearsal.judgement).findings
