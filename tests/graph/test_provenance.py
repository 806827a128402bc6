"""Values that the simulation invented are followed through a program, and no rule fails on them."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pulumi
import pulumi_aws as aws
import pulumi_azure_native as azure
import pulumi_gcp as gcp
import pulumi_random as random
import pytest

from penstock.app.judge import judge_policies
from penstock.core.findings import Finding
from penstock.graph.provenance import ValueOrigin, ValueProvenance
from penstock.rules.settings import Settings
from penstock.simulate.run import Rehearsal, rehearse

AWS = {"aws:region": "us-east-1"}


def blocking(program: Callable[[], object], **config: str) -> list[Finding]:
    return [finding for finding in rehearse(program, config=config or AWS).findings if finding.blocks]


def undetermined(rehearsal: Rehearsal, rule: str) -> list[str]:
    return [each.invented for each in rehearsal.judgement.undetermined if each.rule.id == rule]


def folder() -> str:
    return gcp.organizations.get_folder(folder="folders/1234567").display_name


def test_a_name_made_of_an_invented_answer_is_not_judged() -> None:
    run = rehearse(lambda: gcp.storage.Bucket("b", name=f"functions-{folder()}", location="US"))

    assert not [finding for finding in run.findings if finding.blocks]
    assert undetermined(run, "gcp-gcs-bucket-name") == ["displayName of gcp:organizations/getFolder:getFolder"]


def test_a_document_that_is_invented_as_a_whole_is_not_judged() -> None:
    def program() -> None:
        found = aws.ecr.get_lifecycle_policy_document(rules=[])
        aws.ecr.LifecyclePolicy("p", repository="r", policy=found.json)

    assert not blocking(program)


def test_a_found_arn_that_holds_an_invented_argument_is_not_judged() -> None:
    def program() -> None:
        instance = aws.ssoadmin.get_instances().arns[0]
        found = aws.ssoadmin.get_permission_set(instance_arn=instance, name="ReadOnly")
        aws.ssoadmin.AccountAssignment(
            "a",
            instance_arn=instance,
            permission_set_arn=found.arn,
            principal_id="11111111-2222-3333-4444-555555555555",
            principal_type="GROUP",
            target_id="123456789012",
            target_type="AWS_ACCOUNT",
        )

    assert not blocking(program)


def test_an_id_that_google_numbers_is_not_judged() -> None:
    def program() -> None:
        value = gcp.tags.TagValue("value", parent="tagKeys/1", short_name="tag")
        gcp.compute.FirewallPolicyRule(
            "rule",
            firewall_policy="1",
            priority=1,
            action="allow",
            direction="INGRESS",
            match={"src_ip_ranges": ["10.0.0.0/8"], "layer4_configs": [{"ip_protocol": "tcp"}]},
            target_secure_tags=[{"name": value.id}],
        )

    run = rehearse(program)

    assert not [finding for finding in run.findings if finding.blocks]
    assert undetermined(run, "gcp-api-pattern") == ["id of value"]


def test_a_name_that_the_user_wrote_is_judged() -> None:
    assert blocking(lambda: gcp.storage.Bucket("b", name="Functions_of_mine", location="US"))


@pytest.mark.parametrize(("effect", "rules"), [("Allow", set()), ("Permit", {"aws-iam-policy-grammar"})])
def test_the_rest_of_a_document_with_an_invented_part_is_judged(effect: str, rules: set[str]) -> None:
    def program() -> None:
        secret = random.RandomPassword("p", length=24)
        statement = {"Effect": effect, "Action": "s3:GetObject", "Resource": secret.result}
        document = {"Version": "2012-10-17", "Statement": [statement]}
        aws.iam.Policy("r", policy=pulumi.Output.unsecret(pulumi.Output.json_dumps(document)))

    assert {each.code for each in blocking(program)} == rules


ORIGINS: dict[str, tuple[Callable[[aws.ec2.Instance, random.RandomPassword], pulumi.Input[str]], ValueOrigin]] = {
    "a literal": (lambda _, __: "mine", ValueOrigin.WRITTEN),
    "an id of the documented form": (lambda it, _: it.id, ValueOrigin.DERIVED),
    "a part of what the user gave": (lambda it, _: it.instance_type.apply(lambda t: t[:2]), ValueOrigin.DERIVED),
    "an invented text": (lambda _, it: it.result, ValueOrigin.INVENTED),
    "an invented text inside another": (lambda _, it: pulumi.Output.concat("x-", it.result), ValueOrigin.INVENTED),
    "in other letters": (lambda _, it: it.result.apply(str.upper), ValueOrigin.INVENTED),
    "a piece of it": (lambda _, it: it.result.apply(lambda text: text[3:15]), ValueOrigin.INVENTED),
    "in JSON": (lambda _, it: pulumi.Output.json_dumps({"a": [it.result]}), ValueOrigin.INVENTED),
    "encoded": (
        lambda _, it: it.result.apply(lambda text: base64.b64encode(text.encode()).decode()),
        ValueOrigin.INVENTED,
    ),
    "the address that the cloud chooses": (lambda it, _: it.private_ip, ValueOrigin.INVENTED),
    "the zone that the cloud chooses": (lambda it, _: it.availability_zone, ValueOrigin.INVENTED),
}


@pytest.mark.parametrize("name", ORIGINS)
def test_the_origin_of_a_value(name: str) -> None:
    make, origin = ORIGINS[name]

    def program() -> None:
        machine = aws.ec2.Instance("i", ami="ami-0123456789abcdef0", instance_type="m5.large")
        password = random.RandomPassword("p", length=24)
        aws.ecs.Cluster("it", name=pulumi.Output.unsecret(pulumi.Output.from_input(make(machine, password))))

    graph = rehearse(program, config=AWS).graph
    (it,) = graph.of_type("aws:ecs/cluster:Cluster")

    assert ValueProvenance(graph).origin(it.urn, "name") is origin


def test_an_invented_value_of_another_type_is_only_noted() -> None:
    def program() -> None:
        machine = aws.ec2.Instance("i", ami="ami-0123456789abcdef0", instance_type="m5.large")
        zone = pulumi.Output.unsecret(random.RandomPassword("p", length=24).result)
        aws.ebs.Volume("v", availability_zone=machine.availability_zone, size=zone, encrypted=True)

    (finding,) = [each for each in rehearse(program, config=AWS).findings if each.path == "size"]

    assert finding.code == "TYPE-003"
    assert not finding.blocks
    assert "result of p" in finding.message


def test_an_invented_text_that_is_exported_in_clear_is_reported() -> None:
    run = rehearse(lambda: pulumi.export("password", random.RandomString("p", length=24).result), config=AWS)

    found = judge_policies(run.graph, Settings(), beside=run.judgement).findings

    assert [each.code for each in found] == ["pulumi-no-plaintext-outputs"]


def test_an_invented_kubeconfig_that_is_exported_is_undetermined() -> None:
    """The real one may call the login program of its user."""

    def program() -> None:
        found = azure.containerservice.list_managed_cluster_user_credentials(resource_group_name="g", resource_name="c")
        pulumi.export("kubeconfig", base64.b64decode(found.kubeconfigs[0].value).decode())

    run = rehearse(program)
    report = judge_policies(run.graph, Settings(), beside=run.judgement)

    assert not report.findings
    assert "pulumi-no-plaintext-outputs" in {each.rule.id for each in report.undetermined}
