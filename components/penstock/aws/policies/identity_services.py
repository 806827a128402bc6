"""Who may call what AWS runs: APIs, caches, brokers, clusters and agents; and what their containers may do."""

from __future__ import annotations

import re
from typing import Any, Final

from penstock.aws.model.iam_statements import Statement
from penstock.aws.policies.containers import NoContainer, name_of
from penstock.aws.policies.documents import OfDocuments, check_of_statements
from penstock.aws.types import (
    APIGATEWAY_METHOD,
    APIGATEWAY_REST_API,
    APPSYNC_GRAPH_QL_API,
    BATCH_JOB_DEFINITION,
    BEDROCK_AGENT_AGENT,
    BEDROCK_AGENTCORE_GATEWAY,
    BEDROCK_GUARDRAIL,
    ECS_TASK_DEFINITION,
    EKS_NODE_GROUP,
    ELASTICACHE_REPLICATION_GROUP,
    ELASTICACHE_SERVERLESS_CACHE,
    IAM_ROLE,
    IAM_USER,
    MEMORYDB_CLUSTER,
    MSK_CLUSTER,
)
from penstock.graph.values import Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, fail
from penstock.graph.view import View
from penstock.rules.checks import Absent, All, ByType, Custom, Each, Either, Given, Is, IsNot, Matches, OneOf, Where
from penstock.rules.levels import CRITICAL, HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_ROUTE: Final = "aws:apigatewayv2/route:Route"
_API: Final = "aws:apigatewayv2/api:Api"
_REST_POLICY: Final = "aws:apigateway/restApiPolicy:RestApiPolicy"
_PREFLIGHT: Final = "OPTIONS"
"""What browsers ask before a request, and always without credentials (Fetch standard, CORS-preflight fetch)."""
_CONNECT: Final = "$connect"


def _route_asks(it: View, settings: Settings) -> Verdict:
    """A route of an HTTP API asks; of a WebSocket API the one by which clients connect does for all."""
    key = it.text("routeKey") or ""
    if key.startswith(_PREFLIGHT) or (" " not in key and key not in (_CONNECT, "$default")):
        return NOT_APPLICABLE
    if key == "$default":
        api = it.one("apiId", _API)
        if api is None or api.text("protocolType") == "WEBSOCKET":
            return NOT_APPLICABLE
    return IsNot("authorizationType", "NONE").judge(it, settings)


def _method_asks(it: View, settings: Settings) -> Verdict:
    """A method asks for more than that somebody calls, or its API is private or has a policy of its own."""
    if it.text("httpMethod") == _PREFLIGHT:
        return NOT_APPLICABLE
    said = Either(IsNot("authorization", "NONE"), Is("apiKeyRequired", value=True)).judge(it, settings)
    if not said.failures:
        return said
    apis = it.found("restApi", APIGATEWAY_REST_API)
    return NOT_APPLICABLE if any(_is_kept(api) for api in apis) else said


def _is_kept(api: View) -> bool:
    endpoints = api.block("endpointConfiguration")
    if endpoints is not None and endpoints.value("types") in ("PRIVATE", ["PRIVATE"]):
        return True
    return "policy" in api or bool(api.referrers(_REST_POLICY, "restApiId"))


def _makes_no_open_route(it: View, _: Settings) -> Verdict:
    return allow("target" not in it, "target creates a route without authentication", path="target")


RULES.row(
    "aws-api-auth",
    "An API asks who calls.",
    on=(_ROUTE, _API, APIGATEWAY_METHOD),
    check=ByType(
        {
            _ROUTE: Custom(_route_asks, others=True),
            _API: Custom(_makes_no_open_route),
            APIGATEWAY_METHOD: Custom(_method_asks, others=True),
        }
    ),
    severity=MEDIUM,
    rationale="Strangers ask the model behind it, as often as they like, on your bill.",
    fix="Set authorizationType of a route (authorization of a method) to AWS_IAM or to an authorizer; what is for "
    "everybody, such as a health check, is waived by its URN.",
    peers="CKV_AWS_59 CKV_AWS_309 AWS-0004 KICS:15ccec05 CKV2_AWS_70",
)

_EVENTS: Final = "aws:appsync/api:Api"
_KEY: Final = "API_KEY"

RULES.row(
    "aws-appsync-no-api-key",
    "An API of AppSync asks for more than a key that all clients share.",
    on=(APPSYNC_GRAPH_QL_API, _EVENTS),
    check=ByType(
        {
            APPSYNC_GRAPH_QL_API: Where(
                IsNot("visibility", "PRIVATE"),
                All(
                    IsNot("authenticationType", _KEY),
                    IsNot("additionalAuthenticationProviders[].authenticationType", _KEY),
                ),
            ),
            _EVENTS: IsNot("eventConfig.authProviders[].authType", _KEY),
        }
    ),
    severity=MEDIUM,
    rationale="The key is in every web page and app that uses it: whoever reads it there calls the API as anybody.",
    fix="Set authenticationType to AMAZON_COGNITO_USER_POOLS, OPENID_CONNECT, AWS_IAM or AWS_LAMBDA, and so authType "
    "in eventConfig.authProviders of an event API.",
)
RULES.row(
    "aws-cognito-no-guests",
    "A pool of identities gives credentials to nobody who did not log in.",
    on="aws:cognito/identityPool:IdentityPool",
    check=IsNot("allowUnauthenticatedIdentities", value=True),
    severity=HIGH,
    rationale=(
        "Anyone on the internet gets credentials of the account, and one misconfiguration of the role for guests "
        "opens its data."
    ),
    fix="Set allowUnauthenticatedIdentities to false, and let users log in first.",
    peers="CKV_AWS_366",
)
RULES.row(
    "aws-msk-auth",
    "A Kafka cluster asks its clients who they are.",
    on=MSK_CLUSTER,
    check=All(
        IsNot("clientAuthentication.unauthenticated", value=True),
        Either(
            Is("clientAuthentication.sasl.iam", value=True),
            Is("clientAuthentication.sasl.scram", value=True),
            Given("clientAuthentication.tls.certificateAuthorityArns"),
        ),
    ),
    severity=HIGH,
    rationale="Whoever reaches a broker reads every event, and writes some that the programs behind it trust.",
    fix="Set clientAuthentication.sasl.iam to true and unauthenticated to false; move the clients first.",
)


RULES.row(
    "aws-cache-auth",
    "A cache asks its clients who they are.",
    on=(ELASTICACHE_REPLICATION_GROUP, ELASTICACHE_SERVERLESS_CACHE, MEMORYDB_CLUSTER),
    check=ByType(
        {
            ELASTICACHE_REPLICATION_GROUP: Where(
                Absent("globalReplicationGroupId"),
                Either(Given("userGroupIds"), Given("authToken"), Given("authTokenWo")),
            ),
            ELASTICACHE_SERVERLESS_CACHE: Where(OneOf("engine", ("redis", "valkey")), Given("userGroupId")),
            MEMORYDB_CLUSTER: IsNot("aclName", "open-access"),
        }
    ),
    severity=HIGH,
    rationale="Whoever reaches the port reads the sessions and answers of everybody, and puts others in their place.",
    fix="Set userGroupIds (userGroupId of a serverless cache, aclName in MemoryDB) to users of your own, or "
    "set authTokenWo.",
    peers="CKV_AWS_31",
)

_ADMINISTRATORS: Final = re.compile(r"arn:aws[\w-]*:eks::aws:cluster-access-policy/AmazonEKS(Cluster)?AdminPolicy")
_NO_ROLE: Final = re.compile(r"arn:aws[\w-]*:iam::\d+:(user/.+|root)")


def _administrator_is_assumed(it: View, _: Settings) -> Verdict:
    """An administrator is a role which somebody assumes for a while, and no user and no node."""
    for principal in it.found("principalArn", IAM_USER, IAM_ROLE):
        if principal.type == IAM_USER:
            return fail(f"the user {principal.name} administers it", path="principalArn")
        nodes = principal.referrers(EKS_NODE_GROUP, "nodeRoleArn")
        return allow(not nodes, "the role of its nodes administers it", path="principalArn")
    match = _NO_ROLE.fullmatch(it.text("principalArn") or "")
    return PASS if match is None else fail(f"{match[1]} administers it, which is not a role", path="principalArn")


RULES.row(
    "aws-eks-admin-roles",
    "Administrators of a cluster are roles that people or pipelines assume.",
    on="aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
    check=Where(
        All(Matches("policyArn", _ADMINISTRATORS.pattern), Is("accessScope.type", "cluster")),
        Custom(_administrator_is_assumed, others=True),
    ),
    severity=HIGH,
    rationale=(
        "The key of a user works until somebody thinks of it, and a pod that gets at its node's role has the whole "
        "cluster."
    ),
    fix="Set principalArn to a role that people assume with a second factor, and give nodes what EKS gives them.",
)


def _complains_of_privileged(container: dict[str, Any]) -> str | None:
    privileged = container.get("privileged")
    if isinstance(privileged, Unknown):
        raise NotKnown
    return f"a privileged container{name_of(container)}" if privileged is True else None


_POD: Final = "eksProperties.podProperties"

RULES.row(
    "aws-container-not-privileged",
    "No container of a task or a job is privileged, or sees the processes of its machine.",
    on=(ECS_TASK_DEFINITION, BATCH_JOB_DEFINITION),
    check=ByType(
        {
            ECS_TASK_DEFINITION: All(
                NoContainer("containerDefinitions", _complains_of_privileged), IsNot("pidMode", "host")
            ),
            BATCH_JOB_DEFINITION: All(
                NoContainer("containerProperties", _complains_of_privileged),
                NoContainer("ecsProperties", _complains_of_privileged),
                NoContainer("nodeProperties", _complains_of_privileged),
                IsNot(f"{_POD}.containers[].securityContext.privileged", value=True),
                IsNot(f"{_POD}.initContainers[].securityContext.privileged", value=True),
            ),
        }
    ),
    severity=CRITICAL,
    rationale=(
        "A privileged container is root on its machine: it reads the disks, GPUs and credentials of every other there."
    ),
    fix="Remove privileged, and pidMode host; resourceRequirements hand out GPUs, and linuxParameters.devices EFA.",
    peers="CKV_AWS_210 CKV_AWS_334 CKV_AWS_335 KICS:66cd88ac",
)

RULES.row(
    "aws-bedrock-agent-guardrail",
    "An agent of Bedrock works within a guardrail.",
    on=BEDROCK_AGENT_AGENT,
    check=Given("guardrailConfigurations"),
    severity=MEDIUM,
    rationale=(
        "Nothing stops what a prompt, or a document that the agent reads, talks it into: to reveal secrets or to "
        "misuse tools."
    ),
    fix=(
        "Create an aws.bedrock.Guardrail that filters PROMPT_ATTACK with inputStrength HIGH, and name it with a "
        "version in guardrailConfigurations."
    ),
    peers="CKV_AWS_383",
)
RULES.row(
    "aws-agentcore-enforce",
    "Policies of a gateway for agents are enforced in production, and not just logged.",
    on=BEDROCK_AGENTCORE_GATEWAY,
    check=IsNot("policyEngineConfiguration.mode", "LOG_ONLY"),
    severity=MEDIUM,
    rationale="What the policies forbid agents still do: the tools answer, and a log says that they should not have.",
    fix="Set policyEngineConfiguration.mode to ENFORCE, once the log has nothing in it that should be allowed.",
    in_production=True,
)


def _is_of_all_topics(statement: Statement) -> str | None:
    wide = [action for action in statement.written_actions if action.lower() in _ALL_OF_IOT]
    is_open = bool(wide) and "*" in statement.resources
    return f"the policy allows {wide[0]} on every resource" if is_open else None


_ALL_OF_IOT: Final = ("*", "iot:*")
_DEVICES: Final = {"aws:iot/policy:Policy": ("policy",)}

RULES.row(
    "aws-iot-policy-narrow",
    "A policy of IoT devices names actions or topics.",
    on=tuple(_DEVICES),
    check=OfDocuments(_DEVICES, check_of_statements(_is_of_all_topics)),
    severity=HIGH,
    rationale="One device that is taken apart reads and sends the messages of all others, in their names.",
    fix="Name iot:Connect, iot:Publish and iot:Subscribe, on topics with ${iot:Connection.Thing.ThingName} in the ARN.",
    sources=(
        (
            "AWS IoT developer guide, policy examples "
            "<https://docs.aws.amazon.com/iot/latest/developerguide/example-iot-policies.html>"
        ),
    ),
)
RULES.row(
    "aws-bedrock-guardrail-prompts",
    "A guardrail of Bedrock blocks attacks on prompts.",
    on=BEDROCK_GUARDRAIL,
    check=Each(
        "contentPolicyConfig.filtersConfigs[]",
        Where(
            Is("type", "PROMPT_ATTACK"),
            All(IsNot("inputStrength", "NONE"), IsNot("inputAction", "NONE"), IsNot("inputEnabled", value=False)),
        ),
    ),
    severity=MEDIUM,
    rationale="A prompt, or a document that the model reads, talks it into revealing secrets or misusing tools.",
    fix="Set inputStrength of the filter PROMPT_ATTACK to HIGH, inputAction to BLOCK and inputEnabled to true.",
)
