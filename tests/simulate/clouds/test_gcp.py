"""Simulated Google Cloud answers in Google Cloud's own forms."""

from __future__ import annotations

import re
from typing import Any

import pulumi
import pulumi_gcp
import pytest
from pulumi_gcp import (
    artifactregistry,
    compute,
    container,
    kms,
    lustre,
    organizations,
    projects,
    pubsub,
    secretmanager,
    serviceaccount,
    sql,
    storage,
)

from penstock.catalog.answers import answer_forms
from penstock.graph.graph import Resource
from penstock.simulate import sdk_types
from penstock.simulate.clouds import CreateRequest, simulated
from penstock.simulate.run import rehearse

TABLE = answer_forms("gcp")
FORMS = sorted(token for token, form in TABLE.items() if "answers" not in form)
FUNCTIONS = sorted(token for token, form in TABLE.items() if "answers" in form)
CONFIG = {"gcp:project": "acme", "gcp:region": "europe-west4"}


def sdk_member(token: str) -> Any:
    module, name = token.split(":")[1].split("/", maxsplit=1)[0], token.rsplit(":", 1)[-1]
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return getattr(getattr(pulumi_gcp, module), name, None) or getattr(getattr(pulumi_gcp, module), snake, None)


@pytest.mark.parametrize("token", FORMS)
def test_the_table_speaks_of_types_and_outputs_that_the_sdk_has(token: str) -> None:
    assert sdk_member(token)
    outputs = sdk_types.output_types(token)

    assert outputs
    assert set(TABLE[token].get("outputs", {})) <= set(outputs)
    assert TABLE[token].get("named", "id") in {*outputs, "id"}


@pytest.mark.parametrize("token", FUNCTIONS)
def test_the_table_speaks_of_functions_and_results_that_the_sdk_has(token: str) -> None:
    assert sdk_member(token)
    assert set(TABLE[token]["answers"]) <= set(sdk_types.result_types(token))


def made(program: Any, **config: str) -> Resource:
    *_, last = rehearse(program, config={**CONFIG, **config}).graph
    return last


@pytest.mark.parametrize(
    ("program", "output", "value"),
    [
        (lambda: compute.Network("n", name="net"), "id", "projects/acme/global/networks/net"),
        (
            lambda: compute.Network("n", name="net"),
            "selfLink",
            "https://www.googleapis.com/compute/v1/projects/acme/global/networks/net",
        ),
        (lambda: compute.Network("Net"), "name", r"net-[0-9a-f]{7}"),
        (lambda: storage.Bucket("Logs", location="EU"), "name", r"Logs-[0-9a-f]{7}"),
        (lambda: storage.Bucket("b", name="mine", location="EU"), "url", "gs://mine"),
        (
            lambda: compute.Subnetwork("s", name="sub", network="n", ip_cidr_range="10.0.0.0/20"),
            "id",
            "projects/acme/regions/europe-west4/subnetworks/sub",
        ),
        (
            lambda: compute.Subnetwork("s", name="sub", network="n", ip_cidr_range="10.0.0.0/20"),
            "region",
            "europe-west4",
        ),
        (
            lambda: compute.RouterNat(
                "n",
                name="nat",
                router="projects/acme/regions/europe-west4/routers/r",
                source_subnetwork_ip_ranges_to_nat="LIST_OF_SUBNETWORKS",
            ),
            "id",
            "acme/europe-west4/r/nat",
        ),
        (
            lambda: container.NodePool(
                "p", name="pool", location="us-east1", cluster="projects/a/locations/l/clusters/c"
            ),
            "id",
            "projects/acme/locations/us-east1/clusters/c/nodePools/pool",
        ),
        (
            lambda: container.Cluster("c", name="main", location="us-east1", min_master_version="1.35"),
            "masterVersion",
            r"1\.35\.\d+-gke\.\d+",
        ),
        (
            lambda: kms.CryptoKey("k", name="key", key_ring="projects/acme/locations/us/keyRings/r"),
            "id",
            "projects/acme/locations/us/keyRings/r/cryptoKeys/key",
        ),
        (
            lambda: serviceaccount.Account("a", account_id="nodes"),
            "member",
            r"serviceAccount:nodes@acme\.iam\.gserviceaccount\.com",
        ),
        (lambda: serviceaccount.Account("nodes"), "accountId", r"nodes-[0-9a-f]{7}"),
        (
            lambda: projects.IAMMember("m", project="acme", role="roles/viewer", member="user:a@example.com"),
            "id",
            r"acme/roles/viewer/user:a@example\.com",
        ),
        (
            lambda: projects.ServiceIdentity("i", service="container.googleapis.com"),
            "email",
            r"service-\d{12}@container-engine-robot\.iam\.gserviceaccount\.com",
        ),
        (
            lambda: lustre.Instance(
                "l", instance_id="scratch", location="us-east1-b", capacity_gib="18000", filesystem="fs", network="n"
            ),
            "name",
            "projects/acme/locations/us-east1-b/instances/scratch",
        ),
        (
            lambda: secretmanager.Secret("s", secret_id="token", replication={"auto": {}}),
            "name",
            "projects/acme/secrets/token",
        ),
        (
            lambda: artifactregistry.Repository("r", repository_id="images", format="DOCKER", location="us"),
            "registryUri",
            r"us-docker\.pkg\.dev/acme/images",
        ),
        (
            lambda: sql.DatabaseInstance("d", name="db", database_version="POSTGRES_16", region="us-east1"),
            "connectionName",
            "acme:us-east1:db",
        ),
        (
            lambda: pubsub.TopicIAMMember("m", topic="t", role="roles/viewer", member="allUsers"),
            "id",
            "projects/acme/topics/t/roles/viewer/allUsers",
        ),
    ],
)
def test_identities_have_the_form_of_the_project_and_place(program: Any, output: str, value: str) -> None:
    resource = made(program)

    assert re.fullmatch(value, str({"id": resource.id, **resource.inputs, **resource.outputs}[output]))


def test_without_a_project_it_is_the_one_of_googles_examples() -> None:
    (network,) = rehearse(lambda: compute.Network("n", name="net")).graph.of_type("gcp:compute/network:Network")

    assert network.id == "projects/my-project/global/networks/net"


def test_an_explicit_provider_and_a_resources_own_project_decide_in_this_order() -> None:
    def program() -> None:
        there = pulumi_gcp.Provider("p", project="other", region="us-east1")
        compute.Network("own", name="own", project="third", opts=pulumi.ResourceOptions(provider=there))
        compute.Router("theirs", name="r", network="n", opts=pulumi.ResourceOptions(provider=there))

    graph = rehearse(program, config=CONFIG).graph

    assert [each.id for each in graph if each.type.startswith("gcp:")] == [
        "projects/third/global/networks/own",
        "projects/other/regions/us-east1/routers/r",
    ]


def test_the_account_of_a_project_in_a_domain_ends_with_it() -> None:
    account = made(lambda: serviceaccount.Account("a", account_id="nodes"), **{"gcp:project": "example.com:acme"})

    assert account.outputs["email"] == "nodes@acme.example.com.iam.gserviceaccount.com"


def test_labels_are_those_of_the_resource_its_provider_and_the_mark_of_what_made_it() -> None:
    def program() -> None:
        there = pulumi_gcp.Provider("p", project="acme", default_labels={"team": "ml", "env": "dev"})
        storage.Bucket("b", location="EU", labels={"env": "prod"}, opts=pulumi.ResourceOptions(provider=there))

    (bucket,) = rehearse(program).graph.of_type("gcp:storage/bucket:Bucket")

    assert bucket.outputs["effectiveLabels"].value == {
        "team": "ml",
        "env": "prod",
        "goog-pulumi-provisioned": "true",
    }


def there(type_: str, id_: str) -> dict[str, Any]:
    """The outputs of a resource of this type and id that is there already."""
    return dict(simulated("gcp").create(CreateRequest(f"urn:{type_}", type_, "mine", {}, {}, id=id_)).outputs)


@pytest.mark.parametrize(
    ("type_", "id_", "reported"),
    [
        ("gcp:compute/network:Network", "projects/p/global/networks/n", {"project": "p", "name": "n"}),
        (
            "gcp:container/nodePool:NodePool",
            "projects/p/locations/us-east1/clusters/c/nodePools/n",
            {"project": "p", "location": "us-east1", "cluster": "c", "name": "n"},
        ),
        (
            "gcp:serviceaccount/account:Account",
            "projects/p/serviceAccounts/a@p.iam.gserviceaccount.com",
            {"project": "p", "accountId": "a", "email": "a@p.iam.gserviceaccount.com"},
        ),
        ("gcp:storage/bucket:Bucket", "mine", {"name": "mine", "url": "gs://mine"}),
    ],
)
def test_what_is_there_already_is_described_by_its_id(type_: str, id_: str, reported: dict[str, str]) -> None:
    found = there(type_, id_)

    assert {key: found[key] for key in reported} == reported


@pytest.mark.parametrize(
    ("program", "value"),
    [
        (lambda: organizations.get_project().project_id, "acme"),
        (lambda: organizations.get_project(project_id="other").id, "projects/other"),
        (lambda: organizations.get_project().number, r"\d{12}"),
        (lambda: organizations.get_client_config().region, "europe-west4"),
        (lambda: compute.get_zones(region="us-central1").names[0], "us-central1-a"),
        (lambda: compute.get_network(name="default").self_link, r"https://.*/projects/acme/global/networks/default"),
        (lambda: container.get_engine_versions(version_prefix="1.34.").latest_master_version, r"1\.34\.\d+-gke\.\d+"),
        (
            lambda: storage.get_project_service_account().email_address,
            r"service-\d{12}@gs-project-accounts\.iam\.gserviceaccount\.com",
        ),
        (
            lambda: kms.get_kms_crypto_key(name="k", key_ring="projects/p/locations/l/keyRings/r").id,
            "projects/p/locations/l/keyRings/r/cryptoKeys/k",
        ),
    ],
)
def test_a_function_answers_in_googles_form(program: Any, value: str) -> None:
    graph = rehearse(lambda: pulumi.export("it", program()), config=CONFIG).graph

    assert re.fullmatch(value, graph.exports["it"])


def test_a_project_has_the_same_number_wherever_it_is_reported() -> None:
    def program() -> None:
        agent = projects.ServiceIdentity("i", service="lustre.googleapis.com")
        pulumi.export("agent", agent.email)
        pulumi.export("number", organizations.get_project().number)

    exports = rehearse(program, config=CONFIG).graph.exports

    assert exports["agent"].startswith(f"service-{exports['number']}@")


def test_the_projects_that_are_found_are_called_as_the_provider_calls_its_own() -> None:
    seen: list[str | None] = []

    def program() -> None:
        seen.append(pulumi_gcp.projects.get_project(filter="name:x").projects[0].project_id)

    rehearse(program, config={"gcp:project": "ours"})

    assert seen == ["ours"]


@pytest.mark.parametrize(
    ("function", "arguments", "name"),
    [
        ("getOrganization", {"domain": "example.com"}, r"organizations/\d{12}"),
        ("getFolder", {"folder": "folders/1234"}, "folders/1234"),
        ("getFolder", {"folder": "1234"}, "folders/1234"),
        ("getBillingAccount", {"displayName": "research"}, "billingAccounts/[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}"),
    ],
)
def test_what_is_above_projects_has_the_name_of_its_path(function: str, arguments: dict[str, Any], name: str) -> None:
    answer = simulated("gcp").invoke(f"gcp:organizations/{function}:{function}", arguments, {"project": "acme"})

    assert re.fullmatch(name, answer.results["name"])
