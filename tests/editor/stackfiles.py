"""Stack files with a cursor in them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
TRAIN = (ROOT / "stacks" / "Pulumi.aws-train.yaml").read_text(encoding="utf-8")

BLOCKS = dedent("""\
    config:
      penstock:platform:
        environment: prod
        cloud:
          provider: aws
          region: us-east-1
          account: "123456789012"
        network: {cidr: 10.40.0.0/16}
        cluster:
          admins: ["arn:aws:iam::123456789012:role/platform"]
          deployer_cidrs: [203.0.113.0/24]
        node_pools:
          - name: system
            machine_type: m7i.2xlarge
            nodes: 3
          - name: train
            accelerator: h100
            nodes: {min: 0, max: 16}
            capacity: spot
        storage:
          - {name: datasets, kind: bucket}
    """)
"""A description that nothing is wrong with, in blocks of lines."""


def with_cursor(text: str) -> tuple[str, int, int]:
    """A text without the sign `|` in it, and the line and character of that; both count from 0."""
    before, _, after = text.partition("|")
    return before + after, before.count("\n"), len(before.rpartition("\n")[2])
