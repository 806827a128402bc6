"""Encryption in transit on Google Cloud: names and functions."""

from __future__ import annotations

from typing import Final

from penstock.gcp.types import (
    APPENGINE_FLEXIBLE_APP_VERSION,
    APPENGINE_STANDARD_APP_VERSION,
    CLOUDFUNCTIONS_FUNCTION,
    CLOUDSCHEDULER_JOB,
    COMPUTE_VPN_TUNNEL,
    DNS_MANAGED_ZONE,
    PUBSUB_SUBSCRIPTION,
)
from penstock.rules.checks import ByType, Each, Is, IsNot, NoneOf, OneOf, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.IN_TRANSIT)

_PUBLIC: Final = Is("visibility", "public")

RULES.row(
    "gcp-dns-dnssec",
    "A public DNS zone is signed.",
    on=DNS_MANAGED_ZONE,
    check=Where(_PUBLIC, OneOf("dnssecConfig.state", ("on", "transfer"))),
    severity=MEDIUM,
    rationale="A forged answer sends clients, and their tokens, to another server, and nothing shows the forgery.",
    fix="Set dnssecConfig.state to on, and enter the zone's DS record at the registrar.",
    peers="CKV_GCP_16 GCP-0013 KICS:5ef61c88",
    cis=("GCP 4.0: 3.3",),
)
RULES.row(
    "gcp-dns-no-sha1",
    "No key of a signed DNS zone uses SHA-1.",
    on=DNS_MANAGED_ZONE,
    check=NoneOf("dnssecConfig.defaultKeySpecs[].algorithm", ("rsasha1",)),
    severity=MEDIUM,
    rationale="Collisions of SHA-1 can be computed, and resolvers no longer accept such signatures.",
    fix="Set algorithm of each of dnssecConfig.defaultKeySpecs to rsasha256 or ecdsap256sha256; turn DNSSEC off and on "
    "again for it.",
    peers="CKV_GCP_17 GCP-0012 KICS:ccc3100c",
    cis=("GCP 4.0: 3.4", "GCP 4.0: 3.5"),
)
_APPS: Final = (
    APPENGINE_STANDARD_APP_VERSION,
    APPENGINE_FLEXIBLE_APP_VERSION,
)

RULES.row(
    "gcp-function-https",
    "A function or an app of App Engine answers over HTTPS only.",
    on=(CLOUDFUNCTIONS_FUNCTION, *_APPS),
    check=ByType(
        {
            CLOUDFUNCTIONS_FUNCTION: Where(
                Is("triggerHttp", value=True), Is("httpsTriggerSecurityLevel", "SECURE_ALWAYS")
            ),
            **dict.fromkeys(_APPS, Each("handlers[]", Is("securityLevel", "SECURE_ALWAYS"))),
        }
    ),
    severity=MEDIUM,
    rationale="A call over HTTP shows its token and its data to everyone between client and Google.",
    fix="Set httpsTriggerSecurityLevel, or securityLevel of each of handlers, to SECURE_ALWAYS.",
    peers="CKV2_GCP_10",
    cis=("GCP 4.0: 4.10",),
)
_IN_CLEAR: Final = r"(?i)http://.*"

RULES.row(
    "gcp-push-https",
    "Pub/Sub and Cloud Scheduler call over HTTPS only.",
    on=(PUBSUB_SUBSCRIPTION, CLOUDSCHEDULER_JOB),
    check=ByType(
        {
            PUBSUB_SUBSCRIPTION: Each("pushConfig", Unlike("pushEndpoint", _IN_CLEAR)),
            CLOUDSCHEDULER_JOB: Each("httpTarget", Unlike("uri", _IN_CLEAR)),
        }
    ),
    severity=MEDIUM,
    rationale="Messages and tokens cross the internet in clear, and every network in between can change them.",
    fix="Use an address that begins with https:// in pushConfig.pushEndpoint or httpTarget.uri.",
)
RULES.row(
    "gcp-vpn-ikev2",
    "A VPN tunnel uses IKE version 2.",
    on=COMPUTE_VPN_TUNNEL,
    check=IsNot("ikeVersion", 1),
    severity=LOW,
    rationale="IKE version 1 is deprecated, and takes weaker ciphers.",
    fix="Remove ikeVersion, or set it to 2; this replaces the tunnel.",
)
