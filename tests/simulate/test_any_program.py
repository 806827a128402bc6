"""Programs written by others: packaged components, dynamic resources, providers, and projects as they are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws
import pytest
from pulumi import Output, ResourceOptions
from pulumi_aws import apigatewayv2, ec2, route53, s3
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.core.v1 import Service

from penstock.core.errors import ProgramFailed
from penstock.core.findings import Severity
from penstock.graph.graph import Graph, Resource, SourceLocation
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.environment import find_environment
from penstock.simulate.run import rehearse


def named(graph: Graph, name: str) -> Resource:
    (found,) = (resource for resource in graph if resource.name == name)
    return found


def test_a_type_that_no_sdk_declares_is_reported_once() -> None:
    def program() -> None:
        for name in ("a", "b"):
            pulumi.CustomResource("aws:s3/buckit:Buckit", name, {"bucket": name})

    (finding,) = rehearse(program).findings
    assert (finding.code, finding.severity) == ("TYPE-004", Severity.WARNING)


@pytest.mark.parametrize(
    ("given", "severity"),
    [
        ({"zone_id": True}, Severity.INFO),  # the output has no value in a rehearsal
        ({}, Severity.ERROR),
    ],
)
def test_what_is_required_is_given_where_an_output_is(given: dict[str, bool], severity: Severity) -> None:
    certificate = "arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555"

    def program() -> None:
        domain = apigatewayv2.DomainName(
            "d",
            domain_name="api.example.com",
            domain_name_configuration={
                "certificate_arn": certificate,
                "endpoint_type": "REGIONAL",
                "security_policy": "TLS_1_2",
            },
        )
        alias: Any = {"name": domain.domain_name, "evaluate_target_health": False}
        alias |= dict.fromkeys(given, domain.domain_name_configuration.hosted_zone_id)
        route53.Record("r", name="api.example.com", type="A", zone_id="Z0123456789ABCDEFGHIJ", aliases=[alias])

    (finding,) = [each for each in rehearse(program, config={"aws:region": "us-east-1"}).findings if each.path]

    assert (finding.code, finding.path, finding.severity) == ("TYPE-002", "aliases[0].zoneId", severity)


def test_a_custom_resource_of_a_cluster_needs_no_sdk() -> None:
    def program() -> None:
        CustomResource("q", api_version="kueue.x-k8s.io/v1beta1", kind="ResourceFlavor", metadata={"name": "h100"})

    assert "TYPE-004" not in {finding.code for finding in rehearse(program).findings}


@pytest.mark.parametrize("token", ["kubernetes:Pod", "kubernetes:a:b:c:Pod", "nothing", "aws:vpc", "::"])
def test_a_type_token_of_any_form_is_rehearsed(token: str) -> None:
    rehearsal = rehearse(lambda: pulumi.CustomResource(token, "x", {"metadata": 5}))

    assert named(rehearsal.graph, "x").type == token


class Unusual(BaseException):
    """What a program may raise beside errors."""


@pytest.mark.parametrize("raised", [Unusual("odd"), GeneratorExit("odd"), ExceptionGroup("many", [ValueError("odd")])])
def test_whatever_a_program_raises_is_its_failure(raised: BaseException) -> None:
    def program() -> None:
        raise raised

    with pytest.raises(ProgramFailed, match="odd"):
        rehearse(program)


# ---------------------------------------------------------------------- components that another program makes


class Cluster(pulumi.ComponentResource):
    """As a packaged component's SDK declares it."""

    def __init__(self, name: str, size: int) -> None:
        props = {"size": size, "gateways": {"strategy": "None"}, "endpoint": None, "vpc": None, "zones": None}
        super().__init__("packaged:index:Cluster", name, props, None, remote=True)

    @property
    @pulumi.getter
    def endpoint(self) -> Output[str]:
        return pulumi.get(self, "endpoint")  # type: ignore[no-any-return]

    @property
    @pulumi.getter
    def vpc(self) -> Output[ec2.Vpc]:
        return pulumi.get(self, "vpc")  # type: ignore[no-any-return]

    @property
    @pulumi.getter
    def zones(self) -> Output[list[str]]:
        return pulumi.get(self, "zones")  # type: ignore[no-any-return]

    @property
    @pulumi.getter
    def gateways(self) -> Output[list[ec2.NatGateway]]:
        """What is called as an input is, and holds something else."""
        return pulumi.get(self, "gateways")  # type: ignore[no-any-return]

    @pulumi.output_type
    class GetKubeconfigResult:
        def __init__(self, result: str) -> None:
            pulumi.set(self, "result", result)

        @property
        @pulumi.getter
        def result(self) -> str:
            return pulumi.get(self, "result")  # type: ignore[no-any-return]

    def get_kubeconfig(self) -> Output[str]:
        answer = pulumi.runtime.call(
            "packaged:index:Cluster/getKubeconfig", {"__self__": self}, self, typ=self.GetKubeconfigResult
        )
        return answer.apply(lambda found: found.result)


@pytest.fixture
def packaged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Registers the component as its SDK would."""
    from penstock.simulate import sdk_types

    monkeypatch.setattr(
        sdk_types, "resource_class", lambda type_: Cluster if type_ == "packaged:index:Cluster" else None
    )
    sdk_types.method_types.cache_clear()
    yield
    sdk_types.method_types.cache_clear()


@pytest.mark.usefixtures("packaged")
def test_a_packaged_component_answers_by_its_types_and_says_that_it_is_not_rehearsed() -> None:
    seen: list[Any] = []

    def program() -> None:
        cluster = Cluster("c", 3)
        cluster.zones.apply(lambda zones: seen.append(zones[5]))
        pulumi.export("endpoint", cluster.endpoint)
        pulumi.export("network", cluster.vpc)
        pulumi.export("gateways", cluster.gateways)

    assert rehearse(program, preview=True).ok
    rehearsal = rehearse(program)
    (finding,) = rehearsal.findings

    assert (finding.code, finding.severity, rehearsal.ok) == ("PROGRAM-001", Severity.INFO, True)
    assert rehearsal.graph.exports["endpoint"].startswith("https://")
    assert (rehearsal.graph.exports["network"], rehearsal.graph.exports["gateways"]) == (UNKNOWN, UNKNOWN)
    assert not seen
    assert named(rehearsal.graph, "c").inputs == {"size": 3, "gateways": {"strategy": "None"}}


@pytest.mark.usefixtures("packaged")
@pytest.mark.parametrize("preview", [False, True])
def test_a_method_of_a_packaged_component_is_answered(preview: bool) -> None:
    def program() -> None:
        kubeconfig = Cluster("c", 3).get_kubeconfig()
        pulumi.export("server", kubeconfig.apply(lambda text: json.loads(text)["clusters"][0]["cluster"]["server"]))

    server = rehearse(program, preview=preview).graph.exports["server"]

    assert server is UNKNOWN if preview else server.startswith("https://")


# ---------------------------------------------------------------------- dynamic resources


def test_a_dynamic_resource_calls_nothing_and_says_so() -> None:
    class Provider(pulumi.dynamic.ResourceProvider):
        def create(self, props: dict[str, Any]) -> pulumi.dynamic.CreateResult:
            raise AssertionError(f"called with {props}")

    class Row(pulumi.dynamic.Resource):
        key: Output[str]

        def __init__(self, name: str) -> None:
            super().__init__(Provider(), name, {"table": "t", "key": None})

    seen: list[str] = []

    def program() -> None:
        row = Row("r")
        row.key.apply(seen.append)
        pulumi.export("key", row.key)
        pulumi.export("id", row.id)

    rehearsal = rehearse(program)

    assert [finding.code for finding in rehearsal.findings] == ["PROGRAM-002"]
    assert rehearsal.ok
    assert not seen
    assert rehearsal.graph.exports["key"] is UNKNOWN
    assert rehearsal.graph.exports["id"] is UNKNOWN, "the provider in the program gives it"
    assert isinstance(named(rehearsal.graph, "r").inputs["__provider"], Secret)


# ---------------------------------------------------------------------- providers


def test_a_default_provider_is_a_resource_with_the_configuration_of_the_stack() -> None:
    config = {
        "aws:region": "eu-west-1",
        "aws:token": "hunter2",
        "aws:assumeRoles": '[{"roleArn":"a"}]',
        "other:key": "x",
    }

    graph = rehearse(lambda: s3.Bucket("b"), config=config, secret_keys=["aws:token"], project="p", stack="s").graph
    (provider,) = graph.of_type("pulumi:providers:aws")
    bucket = named(graph, "b")

    assert provider.urn == f"urn:pulumi:s::p::pulumi:providers:aws::{provider.name}"
    assert provider.name.startswith("default_7_")
    assert provider.inputs == {
        "region": "eu-west-1",
        "token": Secret("hunter2"),
        "assumeRoles": '[{"roleArn":"a"}]',
        "version": provider.name.removeprefix("default_").replace("_", "."),
        "__internal": {},
    }
    assert bucket.provider == f"{provider.urn}::{provider.id}"
    assert bucket.outputs["region"] == "eu-west-1"


def test_a_provider_in_the_program_itself_gets_the_whole_configuration() -> None:
    class Thing(pulumi.dynamic.Resource):
        pass

    config = {"aws:region": "eu-west-1", "p:token": "hunter2"}

    graph = rehearse(lambda: Thing(pulumi.dynamic.ResourceProvider(), "t", {}), config=config, secret_keys=["p:token"])

    (provider,) = graph.graph.of_type("pulumi:providers:pulumi-python")
    assert provider.inputs == {"aws:region": "eu-west-1", "p:token": Secret("hunter2")}


def test_there_is_one_default_provider_for_all_that_ask() -> None:
    def program() -> None:
        s3.Bucket("a")
        s3.Bucket("b")
        ec2.get_vpc(default=True)
        s3.Bucket.get("c", "theirs")

    assert len(rehearse(program).graph.of_type("pulumi:providers:aws")) == 1


def test_an_explicit_provider_answers_for_what_names_it_and_for_functions() -> None:
    def program() -> None:
        frankfurt = pulumi_aws.Provider("frankfurt", region="eu-central-1")
        bucket = s3.Bucket("b", opts=ResourceOptions(provider=frankfurt))
        region = pulumi_aws.get_region(opts=pulumi.InvokeOptions(provider=frankfurt)).region
        pulumi.export("regions", [bucket.region, region])

    graph = rehearse(program).graph
    (provider,) = graph.of_type("pulumi:providers:aws")

    assert graph.exports["regions"] == ["eu-central-1", "eu-central-1"]
    assert provider.inputs["version"]
    assert named(graph, "b").provider_urn == provider.urn


def test_default_providers_can_be_forbidden() -> None:
    config = {"pulumi:disable-default-providers": '["aws"]'}

    with pytest.raises(ProgramFailed, match="aws:s3/bucket:Bucket names no provider"):
        rehearse(lambda: s3.Bucket("b"), config=config)


def test_a_package_that_is_made_out_of_a_provider_has_a_provider_of_its_own() -> None:
    async def package() -> str | None:
        value = "eyJ9"
        return await pulumi.runtime.register_package("terraform-provider", "1.2.3", "", "hashicups", "0.3.1", value)

    def program() -> None:
        pulumi.CustomResource("hashicups:index:Order", "o", {"n": 1}, package_ref=asyncio.ensure_future(package()))

    (provider,) = rehearse(program).graph.of_type("pulumi:providers:hashicups")

    assert provider.name == "default_0_3_1"
    assert provider.inputs == {
        "version": "0.3.1",
        "__internal": {"name": "terraform-provider", "version": "1.2.3", "parameterization": "eyJ9"},
    }


def test_options_come_down_from_the_parent() -> None:
    def program() -> None:
        options = ResourceOptions(protect=True, retain_on_delete=True)
        parent = pulumi.ComponentResource("t:i:C", "c", None, options)
        s3.Bucket("in", opts=ResourceOptions(parent=parent))
        s3.Bucket("out", opts=ResourceOptions(parent=parent, protect=False, retain_on_delete=False))

    graph = rehearse(program).graph

    assert (named(graph, "in").options.protect, named(graph, "in").options.retain_on_delete) == (True, True)
    assert (named(graph, "out").options.protect, named(graph, "out").options.retain_on_delete) == (False, False)


# ---------------------------------------------------------------------- values that programs take apart


def test_what_is_looked_up_tells_all_that_its_sdk_declares() -> None:
    def program() -> None:
        service = Service.get("s", "web/front")
        pulumi.export("ip", service.spec.cluster_ip)
        pulumi.export("host", service.status.load_balancer.ingress[0].hostname)

    exports = rehearse(program).graph.exports

    assert exports["ip"] == "10.0.0.10"
    assert exports["host"].endswith(".example.com")


def test_files_and_archives_keep_their_kind() -> None:
    def program() -> None:
        archive = pulumi.AssetArchive({".": pulumi.FileArchive("app"), "a": pulumi.StringAsset("x")})
        function = pulumi_aws.lambda_.Function("f", role="arn:aws:iam::123456789012:role/r", code=archive)
        function.code.apply(lambda code: seen.append(type(code)))

    seen: list[type] = []
    graph = rehearse(program).graph

    assert seen == [pulumi.AssetArchive]
    assert named(graph, "f").inputs["code"] == {"assets": {".": {"path": "app"}, "a": {"text": "x"}}}


def test_an_argument_comes_back_as_its_provider_reads_it() -> None:
    def program() -> None:
        found = ec2.get_ami_output(owners=["amazon"], most_recent="true")  # type: ignore[arg-type]
        found.most_recent.apply(seen.append)

    seen: list[Any] = []
    rehearse(program)

    assert seen == [True]


def test_a_reference_to_another_stack_lets_the_program_go_on() -> None:
    details: list[Any] = []

    async def program() -> None:
        other = pulumi.StackReference("acme/network/prod")
        details.append(await other.get_output_details("vpc"))
        pulumi.export("vpc", other.require_output("vpc"))

    graph = rehearse(program).graph

    assert graph.exports["vpc"] is UNKNOWN
    assert isinstance(details[0].value, Output), "it has no plain value, and is not None as one that is not there"
    assert details[0].secret_value is None


def test_a_stash_tells_what_it_was_given() -> None:
    graph = rehearse(lambda: pulumi.export("kept", pulumi.Stash("s", input={"a": 1}).output)).graph

    assert graph.exports == {"kept": {"a": 1}}


def test_a_program_may_require_a_version_of_pulumi() -> None:
    assert rehearse(lambda: pulumi.runtime.require_pulumi_version(">=3.0.0")).ok


# ---------------------------------------------------------------------- projects as they are


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    return tmp_path


def run(folder: Path, program: str) -> Graph:
    (folder / "__main__.py").write_text(program)
    return find_environment(str(folder), "dev").rehearse().graph


def test_values_arrive_in_the_folder_of_the_program(folder: Path) -> None:
    (folder / "later.py").write_text("import pathlib\nWORD = pathlib.Path('word.txt').read_text()\n")
    (folder / "word.txt").write_text("here")
    program = """
import pulumi

def read(_):
    import later
    return later.WORD

pulumi.export("word", pulumi.Output.from_input(1).apply(read))
"""

    assert run(folder, program).exports == {"word": "here"}


def test_a_line_is_reported_in_a_folder_of_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "größe + 1 (eu)"
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")

    graph = run(folder, "from pulumi_aws import s3\n\ns3.Bucket('data')\n")

    assert named(graph, "data").place == SourceLocation("__main__.py", 3)


def test_a_program_has_no_arguments(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["penstock", "rehearse", "."])

    assert run(folder, "import pulumi, sys\npulumi.export('given', sys.argv[1:])\n").exports == {"given": []}


def test_the_projects_local_sdks_are_found(folder: Path) -> None:
    home = folder / "sdks" / "x" / "local_sdk"
    home.mkdir(parents=True)
    (home / "__init__.py").write_text("WORD = 'local'\n")

    graph = run(folder, "import pulumi, local_sdk as l\npulumi.export('word', l.WORD)\n")

    assert graph.exports == {"word": "local"}


def test_a_package_that_is_not_installed_is_named_with_what_would_install_it(folder: Path) -> None:
    with pytest.raises(ProgramFailed, match=r"__main__.py:1\n.*imports pulumi_nowhere, .*`pip install pulumi-nowhere`"):
        run(folder, "import pulumi_nowhere\n")


def test_a_module_that_the_installed_version_lacks_is_distinguished(folder: Path) -> None:
    with pytest.raises(ProgramFailed, match=r"imports pulumi_aws\.nowhere, which pulumi_aws 7[.\d]+ does not have"):
        run(folder, "import pulumi_aws.nowhere\n")


@pytest.mark.parametrize("main", ["absent", "absent/app.py"])
def test_a_project_without_a_program_says_so(folder: Path, main: str) -> None:
    (folder / "Pulumi.yaml").write_text(f"name: shop\nruntime: python\nmain: {main}\n")

    with pytest.raises(ProgramFailed, match="there is no program at"):
        find_environment(str(folder), "dev").rehearse()


def test_a_program_may_be_a_file_or_lie_in_a_folder(folder: Path) -> None:
    (folder / "src").mkdir()
    (folder / "src" / "app.py").write_text("import pulumi\npulumi.export('x', 1)\n")
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\nmain: src/app.py\n")

    assert find_environment(str(folder), "dev").rehearse().graph.exports == {"x": 1}


def test_configuration_from_elsewhere_is_reported_not_to_be_read(folder: Path) -> None:
    (folder / "Pulumi.dev.yaml").write_text("environment: [shared]\nconfig: {size: 1}\n")
    (folder / "__main__.py").write_text("")

    (finding,) = find_environment(str(folder), "dev").rehearse().findings

    assert (finding.code, finding.severity) == ("PROGRAM-003", Severity.INFO)
    assert (finding.file or "").endswith("Pulumi.dev.yaml")


def test_a_default_that_the_project_declares_secret_is_secret(folder: Path) -> None:
    (folder / "Pulumi.yaml").write_text(
        "name: shop\nruntime: python\nconfig:\n  token: {type: string, default: hunter2, secret: true}\n"
    )

    assert run(folder, "import pulumi\npulumi.export('t', pulumi.Config().require_secret('token'))\n").exports == {
        "t": Secret("hunter2")
    }


def test_a_program_that_registers_nothing_is_rehearsed(folder: Path) -> None:
    assert len(run(folder, "")) == 1
