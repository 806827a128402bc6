"""Commands that print what is part of the package: JSON Schemas, and the folder of the policy pack."""

from __future__ import annotations

from pathlib import Path

from penstock.cli.options import OfReport, Out
from penstock.cli.output import write


def schema(out: Out = None, *, report: OfReport = False) -> None:
    """Print the JSON Schema of a stack file, with which editors complete and check it."""
    import json

    from penstock import description
    from penstock.report.json_schema import report_schema

    write(json.dumps(report_schema() if report else description.json_schema(), indent=2), out)


def policy_pack() -> None:
    """Print the folder of the policy pack: `pulumi preview --policy-pack "$(penstock policy-pack)"`."""
    write(str(Path(__file__).parents[1] / "pack" / "policy_pack"), None)
