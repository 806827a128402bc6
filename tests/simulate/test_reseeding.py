"""The verdicts of a program do not depend on what the simulation draws: ids, names and texts of another seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any
from unittest.mock import patch

import pulumi
import pulumi_aws as aws
import pulumi_azure_native as azure
import pulumi_gcp as gcp
import pulumi_kubernetes as kubernetes
import pulumi_random as random
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import descriptions, gcp_descriptions

from penstock import testing
from penstock.simulate.clouds import any_provider, forms, identity
from penstock.simulate.run import Rehearsal, rehearse

FEW = settings().max_examples // 4
"""Each example is two rehearsals."""


@contextmanager
def seeded(seed: bytes) -> Iterator[None]:
    """Draws all that is invented anew, and calls it otherwise."""

    def digest(data: bytes, *, digest_size: int) -> Any:
        return blake2b(data, digest_size=digest_size, key=seed)

    def renamed(path: str, owner: str) -> str:
        text = original(path, owner)
        return text if forms.is_known(path) else f"{seed.hex()[:4]}/{text}"

    original = forms.simulated_text
    with (
        patch.object(identity, "blake2b", digest),
        patch.object(forms, "simulated_text", renamed),
        patch.object(any_provider, "_PORT", 1024 + seed[0]),
    ):
        yield


def failures(rehearsal: Rehearsal) -> set[tuple[str, str, str]]:
    """The findings of a rehearsal by rule, resource and path: messages repeat ids."""
    return {(finding.code, finding.urn or "", finding.path or "") for finding in rehearsal.findings}


def of_aws() -> None:
    """References to types without a form of their own, policies and names made of answers, and misconfigurations."""
    vpc = aws.ec2.Vpc("v", cidr_block="10.0.0.0/8")
    subnet = aws.ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.1.0.0/24")
    found = aws.ec2.get_subnet(id="subnet-0123456789abcdef0")
    group = aws.ec2.SecurityGroup("g", vpc_id=found.vpc_id)
    secret = random.RandomPassword("p", length=6, special=True)
    aws.s3.Bucket("b", bucket=pulumi.Output.concat("b-", pulumi.Output.unsecret(secret.result)))
    database = aws.rds.Instance(
        "d", engine="postgres", instance_class="db.t3.micro", allocated_storage=20, username="u", password=secret.result
    )
    aws.ec2.SecurityGroupRule(
        "r", type="ingress", protocol="tcp", security_group_id=group.id, cidr_blocks=["0.0.0.0/0"],
        from_port=database.port, to_port=database.port.apply(lambda port: port - 1),
    )  # fmt: skip
    connection = aws.codestarconnections.Connection("c", provider_type="GitHub")
    document = pulumi.Output.json_dumps(
        {
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Permit", "Action": "x", "Resource": connection.connection_status}],
        }
    )
    aws.iam.Policy("i", policy=document)
    aws.ec2.Instance(
        "m", ami=aws.ec2.get_ami(most_recent=True).id, instance_type="m5.large", subnet_id=subnet.id,
        availability_zone=found.availability_zone,
    )  # fmt: skip


def of_google() -> None:
    """Names of an invented folder, members of an invented account, and a network with a wrong range."""
    folder = gcp.organizations.get_folder(folder="folders/1234567")
    gcp.storage.Bucket("b", name=f"code-{folder.display_name}", location="US")
    sink = gcp.logging.ProjectSink("s", destination="storage.googleapis.com/b")
    gcp.projects.IAMMember("m", project="acme-1", role="roles/viewer", member=sink.writer_identity)
    network = gcp.compute.Network("n", auto_create_subnetworks=False)
    gcp.compute.Subnetwork("s", network=network.id, ip_cidr_range="10.0.0.7/24", region="us-central1")
    database = gcp.sql.DatabaseInstance(
        "d", database_version="POSTGRES_15", settings={"tier": "db-f1-micro"}, region="us-central1"
    )
    gcp.compute.Firewall(
        "f",
        network=network.name,
        allows=[{"protocol": "tcp", "ports": [database.dns_name]}],
        source_ranges=[database.first_ip_address],
    )


def of_kubernetes() -> None:
    """Objects with images, names and secrets of what others answer."""
    registry = azure.containerregistry.Registry("r", resource_group_name="g", sku={"name": "Basic"})
    word = random.RandomString("w", length=5)
    metadata: Any = {"name": pulumi.Output.concat("App-", word.result), "namespace": "default"}
    labels: Any = {**metadata, "labels": {"a b": registry.creation_date}}
    container: Any = {"name": "C_1", "image": pulumi.Output.concat(registry.login_server, "/App:1")}
    kubernetes.core.v1.Pod("p", metadata=labels, spec={"containers": [container]})
    kubernetes.core.v1.ConfigMap("c", metadata=metadata, data={"a": json.dumps({"b": 1}), "c": registry.login_server})


PROGRAMS: tuple[Callable[[], None], ...] = (of_aws, of_google, of_kubernetes)


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@settings(max_examples=FEW)
@given(seed=st.binary(min_size=4, max_size=8))
def test_what_is_drawn_changes_no_verdict_on_a_program(program: Callable[[], None], seed: bytes, preview: bool) -> None:
    def run() -> set[tuple[str, str, str]]:
        return failures(rehearse(program, config={"aws:region": "us-east-1", "gcp:project": "acme-1"}, preview=preview))

    usual = run()
    with seeded(seed):
        assert run() == usual


@settings(max_examples=FEW)
@given(description=descriptions() | gcp_descriptions(), seed=st.binary(min_size=4, max_size=8))
def test_what_is_drawn_changes_no_verdict_on_a_platform(description: dict[str, Any], seed: bytes) -> None:
    usual = failures(testing.rehearse(description))
    with seeded(seed):
        assert failures(testing.rehearse(description)) == usual
