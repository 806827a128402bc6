"""Identity and hardening on Google Cloud: services that decide themselves whom they let in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.gcp.types import (
    MEMORYSTORE_INSTANCE,
    PUBSUB_SUBSCRIPTION,
    REDIS_CLUSTER,
    REDIS_INSTANCE,
    WORKBENCH_INSTANCE,
)
from penstock.graph.verdict import Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.checks import Absent, All, ByType, Each, Given, Is, IsNot, NoneOf, OneOf, Where
from penstock.rules.levels import CRITICAL, HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_ACL: Final = "gcp:managedkafka/acl:Acl"
_POLICY: Final = "gcp:orgpolicy/policy:Policy"
_RULESET: Final = "gcp:firebaserules/ruleset:Ruleset"
_WIDGET: Final = "gcp:discoveryengine/widgetConfig:WidgetConfig"
_AGENT: Final = "gcp:ces/app:App"
_ON_PAGES: Final = "defaultChannelProfile.webWidgetConfig.securitySettings"

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN: Final = re.compile(
    r"\bmatch\s+(?P<path>\S+)\s*\{|\{|(?P<end>\})|\ballow\s+(?P<acts>[\w,\s]+?)\s*(?::\s*if\s+(?P<when>[^;]*?)\s*)?;"
)
_ALWAYS: Final = re.compile(r"true|request\.time\s*<[^&]*")
"""A condition that always holds, or the date until which Firebase's test mode lets everybody in."""
_EVERYTHING: Final = re.compile(r"(?:/databases/[^/]+/documents|/b/[^/]+/o)?/\{\w+=\*\*\}")
_WRITING: Final = {"write", "create", "update", "delete"}

RULES.row(
    "gcp-cache-auth",
    "A cache asks its clients who they are.",
    on=(REDIS_INSTANCE, REDIS_CLUSTER, MEMORYSTORE_INSTANCE),
    check=ByType(
        {
            REDIS_INSTANCE: Is("authEnabled", value=True),
            REDIS_CLUSTER: Is("authorizationMode", "AUTH_MODE_IAM_AUTH"),
            MEMORYSTORE_INSTANCE: OneOf("authorizationMode", ("IAM_AUTH", "TOKEN_AUTH")),
        }
    ),
    severity=HIGH,
    rationale="Any pod or machine of the network reads sessions, prompts and answers out of it, and writes others.",
    fix="Set authEnabled to true (authorizationMode to AUTH_MODE_IAM_AUTH or IAM_AUTH for clusters); clients need the "
    "string or a token from then on, and a cluster is replaced with its data.",
    peers="CKV_GCP_95",
)
RULES.row(
    "gcp-kafka-acl-no-everyone",
    "An access list of Kafka allows nothing to everybody.",
    on=_ACL,
    check=Each("aclEntries[]", Where(IsNot("permissionType", "DENY"), IsNot("principal", "User:*"))),
    severity=HIGH,
    rationale="Every account that gets to the brokers reads the topic, or writes what others learn from.",
    fix='Name accounts in place of User:*, such as "User:trainer@PROJECT.iam.gserviceaccount.com".',
)
RULES.row(
    "gcp-agent-no-public",
    "A search or an agent that anybody may query is on named pages only.",
    on=(_WIDGET, _AGENT),
    check=ByType(
        {
            _WIDGET: Where(
                Is("accessSettings.allowPublicAccess", value=True), Given("accessSettings.allowlistedDomains")
            ),
            _AGENT: Where(
                Is(f"{_ON_PAGES}.enablePublicAccess", value=True),
                All(Is(f"{_ON_PAGES}.enableOriginCheck", value=True), Given(f"{_ON_PAGES}.allowedOrigins")),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="Strangers put the widget on pages of theirs, and run your model and read what it found on your bill.",
    fix="Set accessSettings.allowlistedDomains, or enableOriginCheck and allowedOrigins in an agent's "
    "securitySettings; leave public access off where people sign in.",
)


@RULES.rule(
    on=_RULESET,
    severity=CRITICAL,
    rationale=(
        "Firestore and Storage answer every phone and browser directly, and these rules are the only protection."
    ),
    fix="Ask for request.auth in each allow, such as `allow read, write: if request.auth.uid == userId;`.",
)
def gcp_firebase_rules_closed(it: View, _: Settings) -> Verdict:
    """Security rules of Firebase let strangers neither write nor read everything."""

    def one(path: str, content: str) -> Verdict:
        open_ = list(_open_to_everybody(_COMMENT.sub("", content)))
        if any(acts & _WRITING for _, acts in open_):
            return fail(f"{path} lets everybody write", path=path)
        reads_all = any(_EVERYTHING.fullmatch(place) for place, _ in open_)
        return allow(not reads_all, f"{path} lets everybody read", path=path)

    source = it.block("source")
    files = source.blocks("files") if source is not None else []
    return each(files, lambda file: one(file.at("content"), file.text("content") or ""))


def _open_to_everybody(rules: str) -> Iterator[tuple[str, set[str]]]:
    """The access of strangers, by the path where security rules allow it."""
    places: list[str] = []
    for token in _TOKEN.finditer(rules):
        if token["acts"] is not None:
            if token["when"] is None or _ALWAYS.fullmatch(token["when"]):
                yield "".join(places), set(re.findall(r"\w+", token["acts"]))
        elif token["end"] is None:
            places.append(token["path"] or "")
        elif places:
            places.pop()


RULES.row(
    "gcp-orgpolicy-not-lifted",
    "A program lifts no guard that the organization has set.",
    on=_POLICY,
    check=All(
        IsNot("spec.reset", value=True),
        Each(
            "spec.rules[]",
            Where(Absent("condition"), All(IsNot("enforce", value=False), IsNot("allowAll", value=True))),
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "What the organization forbids, such as keys of accounts or public buckets, is allowed again below, for all."
    ),
    fix="Leave the policy out, so that the one above holds, or limit the rule by a condition on a tag.",
)
RULES.row(
    "gcp-appcheck-enforced",
    "A service of Firebase answers apps of ours only.",
    on="gcp:firebase/appCheckServiceConfig:AppCheckServiceConfig",
    check=Is("enforcementMode", "ENFORCED"),
    severity=MEDIUM,
    rationale=(
        "The address and the key of the project are in each app: with them anybody calls its models on your bill."
    ),
    fix="Set enforcementMode to ENFORCED once the metrics show that your own apps send tokens.",
)
_TEMPLATE: Final = "gcp:modelarmor/template:Template"
_ATTACKS: Final = "filterConfig.piAndJailbreakFilterSettings"
_FLOOR: Final = "gcp:modelarmor/floorsetting:Floorsetting"

RULES.row(
    "gcp-modelarmor-enforced",
    "No template of Model Armor lets attacks on prompts pass, and what a project asks of all calls is in force.",
    on=(_TEMPLATE, _FLOOR),
    check=ByType(
        {
            # A template for answers may leave the filter out.
            _TEMPLATE: Where(IsNot(_ATTACKS, None), Is(f"{_ATTACKS}.filterEnforcement", "ENABLED")),
            _FLOOR: IsNot("enableFloorSettingEnforcement", value=False),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "Nothing stops what a prompt, or a document that the agent reads, talks it into: to reveal secrets or to "
        "misuse tools."
    ),
    fix="Set filterConfig.piAndJailbreakFilterSettings.filterEnforcement to ENABLED, and enableFloorSettingEnforcement "
    "to true.",
)
RULES.row(
    "gcp-workbench-no-root",
    "Users of a notebook machine are not root on it.",
    on=WORKBENCH_INSTANCE,
    check=OneOf("gceSetup.metadata.notebook-disable-root", (True, "true")),
    severity=LOW,
    rationale="A cell of a notebook changes the system, reads what other users left there, and survives the session.",
    fix="Set notebook-disable-root to true in gceSetup.metadata, and put libraries into the image.",
)
RULES.row(
    "gcp-pubsub-push-auth",
    "A push subscription sends a token with its messages.",
    on=PUBSUB_SUBSCRIPTION,
    check=Each("pushConfig", Where(Given("pushEndpoint"), Given("oidcToken.serviceAccountEmail"))),
    severity=MEDIUM,
    rationale="The endpoint cannot tell Pub/Sub from strangers, who send it messages of their own.",
    fix="Set pushConfig.oidcToken.serviceAccountEmail, and let the endpoint verify the token, or Cloud Run by IAM.",
)
_ANY: Final = ("ANY_IDENTITY", "ANY_USER_ACCOUNT", "ANY_SERVICE_ACCOUNT")

RULES.row(
    "gcp-perimeter-named",
    "A service perimeter names who comes in, or from where.",
    on="gcp:accesscontextmanager/servicePerimeter:ServicePerimeter",
    check=Each(
        "status.ingressPolicies[].ingressFrom",
        Where(OneOf("identityType", _ANY), NoneOf("sources[].accessLevel", ("*",))),
    ),
    severity=HIGH,
    rationale="Any account of the world passes the perimeter from anywhere, and only IAM is left.",
    fix="Name identities, or access levels in sources, of ingressPolicies[].ingressFrom.",
)
