"""What a program asks of its SDK is answered for a rehearsal: dry runs, failing functions, outputs of other stacks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pulumi
import pulumi_kubernetes as k8s
import pytest
from pulumi import Output, automation
from pulumi.runtime import settings
from pulumi_aws import ec2, get_caller_identity, get_caller_identity_output, s3
from pulumi_gcp.secretmanager import get_secret_version_output

from penstock.core.errors import ProgramFailed
from penstock.core.findings import Finding, Severity
from penstock.graph.values import UNKNOWN
from penstock.simulate.clouds import InvokeResponse
from penstock.simulate.clouds.provider import SimulatedProvider
from penstock.simulate.environment import find_environment
from penstock.simulate.run import Rehearsal, rehearse


def coded(rehearsal: Rehearsal, code: str) -> list[Finding]:
    return [each for each in rehearsal.findings if each.code == code]


@pytest.mark.parametrize("ask", [pulumi.runtime, settings])
def test_a_block_for_real_runs_is_left_out_and_reported_once(ask: Any) -> None:
    ran: list[str] = []

    def program() -> None:
        bucket = s3.Bucket("b")
        ran.extend("real" for _ in range(2) if not ask.is_dry_run())
        bucket.arn.apply(ran.append)

    rehearsal = rehearse(program)

    (finding,) = coded(rehearsal, "PROGRAM-005")
    assert finding.severity is Severity.INFO
    assert (finding.file or "").endswith("test_in_program.py")
    assert len(ran) == 1, "values are computed all the same"
    assert ran[0].startswith("arn:aws:s3:::b")


def test_a_rehearsed_preview_is_one() -> None:
    assert coded(rehearse(pulumi.runtime.is_dry_run, preview=True), "PROGRAM-005") == []


def test_after_a_rehearsal_the_sdk_answers_as_always() -> None:
    rehearse(lambda: None)

    assert not pulumi.runtime.is_dry_run()
    with pytest.raises(KeyError):
        asyncio.run(_failing())


async def _failing() -> Any:
    return await Output.from_input({"a": 1})["b"].future()


def _bucket() -> s3.Bucket:
    return s3.Bucket("b", tags={"given": "here"})


async def _awaited(value: Any) -> Any:
    await asyncio.sleep(0)
    return {}[value]


CHAINS: dict[str, Callable[[s3.Bucket], Output[Any]]] = {
    "in one function": lambda b: b.region.apply(lambda region: region.split(":")[5]),
    "a function of what a function returned": lambda b: b.region.apply(str.split).apply(lambda parts: parts[7]),
    "among others": lambda b: Output.all(b.tags, {"deep": [b.region]}).apply(lambda both: int(both[1]["deep"][0])),
    "named": lambda b: Output.all(region=b.region).apply(lambda all_: int(all_["region"])),
    "inside of another": lambda b: b.region.apply(lambda r: b.tags.apply(lambda _: json.loads(r))),
    "returned by another": lambda b: b.arn.apply(cast("Any", lambda _: b.region)).apply(int),
    "by a key": lambda b: b.region.apply(lambda r: {r: 1})["other"],
    "by its own JSON": lambda b: Output.json_loads(b.region),
    "async": lambda b: b.region.apply(_awaited),
    "what the cloud leaves out": lambda b: b.bucket_prefix.apply(lambda prefix: prefix.upper()),
    "an answer": lambda _: ec2.get_ami_output(owners=["self"]).apply(lambda image: int(image.image_location)),
    "an answer about a resource": lambda b: get_secret_version_output(secret=b.bucket, project="p").apply(
        lambda version: json.loads(version.secret_data)["key"]
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_function_that_takes_a_simulated_value_apart_and_fails_stops_nothing(name: str) -> None:
    def program() -> None:
        taken = CHAINS[name](_bucket())
        s3.Bucket("after", bucket=taken.apply(str))
        pulumi.export("taken", taken)

    rehearsal = rehearse(program)

    (finding,) = coded(rehearsal, "PROGRAM-006")
    assert finding.severity is Severity.INFO
    assert (finding.file or "").endswith("test_in_program.py")
    assert rehearsal.graph.exports["taken"] is UNKNOWN
    (after,) = (each for each in rehearsal.graph if each.name == "after")
    assert after.inputs["bucket"] is UNKNOWN


def test_the_finding_names_the_property() -> None:
    (finding,) = coded(rehearse(lambda: _bucket().region.apply(int) and None), "PROGRAM-006")

    assert "region of b" in finding.message
    assert "ValueError" in finding.message
    assert (finding.urn or "").endswith("::b")


@pytest.mark.parametrize(
    "fails",
    [
        lambda b: b.tags.apply(lambda tags: tags["missing"]),
        lambda b: b.tags["missing"].apply(str),
        lambda _: Output.from_input({"a": 1}).apply(lambda given: given["b"]),
        lambda _: Output.from_input(cast("Any", None)).apply(lambda nothing: nothing["b"]),
        lambda b: b.arn.apply(lambda arn: arn.split(":")[17]),
        lambda _: get_caller_identity_output().apply(lambda who: who.arn.index("nowhere")),
        lambda b: b.region.apply(lambda _: pulumi.Config().require("missing")),
    ],
)
def test_a_failure_on_what_the_program_gave_or_the_cloud_documents_is_its_own(
    fails: Callable[[s3.Bucket], Any],
) -> None:
    with pytest.raises(ProgramFailed):
        rehearse(lambda: fails(_bucket()) and None)


def test_what_is_unknown_from_there_on_is_not_taken_for_unset() -> None:
    seen: list[Any] = []

    def program() -> None:
        after = s3.Bucket("after", bucket=_bucket().region.apply(int).apply(str))
        after.bucket.apply(seen.append)

    rehearse(program)

    assert seen == []


def test_a_program_that_fails_reports_what_had_been_found_until_then(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("environment: [shared]\n")
    (tmp_path / "__main__.py").write_text("import pulumi\npulumi.runtime.is_dry_run()\npulumi.Config().require('x')\n")

    with pytest.raises(ProgramFailed) as failed:
        find_environment(str(tmp_path), "dev").rehearse()

    assert [each.code for each in failed.value.findings] == ["RUN-002", "PROGRAM-003", "PROGRAM-005"]


@pytest.mark.parametrize(
    "run",
    [
        lambda: automation.create_or_select_stack("dev", project_name="p", program=lambda: None).up(),
        lambda: automation.LocalWorkspace().list_stacks(),
        lambda: automation.PulumiCommand.install(),  # noqa: PLW0108 as it is while the program runs
    ],
)
def test_a_script_that_would_run_pulumi_is_refused_with_what_to_do_instead(run: Callable[[], object]) -> None:
    with pytest.raises(ProgramFailed, match=r"an automation script.*Rehearse what it deploys"):
        rehearse(run)


def test_a_result_that_is_unknown_is_not_taken_for_none() -> None:
    seen: list[Any] = []

    def program() -> None:
        directory = k8s.kustomize.Directory("d", "overlays/dev")
        service = directory.get_resource("v1/Service", "web")
        directory.resources.apply(seen.append)
        pulumi.export("ip", service.status.load_balancer.ingress[0].ip)
        chart = k8s.helm.v3.Chart("c", k8s.helm.v3.LocalChartOpts(path="chart"))
        pulumi.export("port", chart.get_resource("v1/Service", "web").spec["ports"][0]["port"])

    rehearsal = rehearse(program)

    assert not seen
    assert rehearsal.graph.exports == {"ip": UNKNOWN, "port": UNKNOWN}
    assert {each.code for each in rehearsal.findings} == {"PROGRAM-004"}


def test_a_text_with_an_unknown_result_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    results = InvokeResponse({"userId": UNKNOWN, "accountId": "123456789012"})
    monkeypatch.setattr(SimulatedProvider, "invoke", lambda *_: results)

    def program() -> None:
        who = get_caller_identity()
        pulumi.export("made", f"user-{who.user_id}-of-{who.account_id}")
        s3.Bucket("b", tags={"by": who.user_id, "account": who.account_id})
        pulumi.export("taken", get_caller_identity_output().user_id.apply(json.loads))

    rehearsal = rehearse(program)

    assert rehearsal.graph.exports == {"made": UNKNOWN, "taken": UNKNOWN}
    assert [each.code for each in rehearsal.findings] == ["PROGRAM-006"]
    (bucket,) = rehearsal.graph.of_type("aws:s3/bucket:Bucket")
    assert bucket.inputs["tags"] == {"by": UNKNOWN, "account": "123456789012"}


def test_an_unknown_result_of_a_function_without_types_is_one_in_a_text_too() -> None:
    def program() -> None:
        pulumi.export("text", f"of {pulumi.runtime.invoke('kubernetes:helm:template', {}).value['result']}")

    assert rehearse(program).graph.exports == {"text": UNKNOWN}
