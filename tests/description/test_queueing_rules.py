"""What is wrong with teams and queues is reported with its line, and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock import description
from penstock.core.errors import InvalidDescription

DESCRIPTION = """\
config:
  penstock:platform:
    environment: prod
    cloud: {{provider: kubernetes, profile: dgx}}
    cluster: {{kubeconfig: dgx}}
    node_pools:
      - {{name: train, accelerator: h100, nodes: 32, fabric: rdma, labels: {{pool: train}}}}
    addons:
      queueing:
        teams:
          - {{name: vision, accelerators: {{h100: 64}}}}
          - {second}
"""


@pytest.mark.parametrize(
    ("second", "place", "says"),
    [
        ("{name: vision}", ("SPEC-160", "name"), ("Two teams are named vision.", "Rename one of them.")),
        (
            "{name: lidar, namespace: vision}",
            ("SPEC-160", "namespace"),
            ("Team vision already has the namespace vision.", "Give each team a namespace of its own."),
        ),
        (
            "{name: kueue-system}",
            ("SPEC-160", "name"),
            (
                "The namespace kueue-system is not a team's: pods of the cluster itself live there.",
                "Use another, such as team-kueue-system.",
            ),
        ),
        (
            "{name: language, accelerators: {h100: 200}}",
            ("SPEC-161", "accelerators.h100"),
            (
                "The teams are guaranteed 264 h100, and the pools have 256 at most.",
                "Up to 192 are left for team language.",
            ),
        ),
        (
            "{name: language, accelerators: {h10: 8}}",
            ("SPEC-161", "accelerators.h10"),
            ("No pool has 'h10'.", "Did you mean h100? In the pools: h100."),
        ),
    ],
)
def test_a_team_that_cannot_be_is_reported_where_it_is(
    second: str, place: tuple[str, str], says: tuple[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "Pulumi.test.yaml"
    file.write_text(DESCRIPTION.format(second=second), encoding="utf-8")

    with pytest.raises(InvalidDescription) as refused:
        description.load(file)

    (found,) = refused.value.findings
    assert (found.code, found.path, found.line) == (place[0], f"addons.queueing.teams[1].{place[1]}", 12)
    assert (found.message, found.hint) == says


def test_there_is_something_to_queue_for(tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.test.yaml"
    plain = DESCRIPTION.format(second="{name: language}").replace("accelerator: h100, ", "").replace("rdma", "none")
    file.write_text(plain.replace(", accelerators: {h100: 64}", ""), encoding="utf-8")

    with pytest.raises(InvalidDescription, match="No pool has anything to queue for"):
        description.load(file)
