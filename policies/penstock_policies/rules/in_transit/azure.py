"""Encryption in transit on Azure."""

from __future__ import annotations

from penstock_policies.checks import (
    All,
    Each,
    Either,
    Is,
    IsNot,
    NoneOf,
    OneOf,
    Where,
)
from penstock_policies.remedies import set_to
from penstock_policies.rule import HIGH, MEDIUM, Concern, Rules

RULES = Rules(Concern.IN_TRANSIT)

_STORAGE = "azure-native:storage:StorageAccount"
_GATEWAY = "azure-native:network:ApplicationGateway"
_REDIS = "azure-native:redis:Redis"
_HTTPS_ONLY = IsNot("enableHttpsTrafficOnly", value=False)
_CUSTOM = ("Custom", "CustomV2")
_SAFE_POLICY = All(
    Where(OneOf("policyType", _CUSTOM), OneOf("minProtocolVersion", ("TLSv1_2", "TLSv1_3"))),
    Where(
        NoneOf("policyType", _CUSTOM),
        OneOf("policyName", ("AppGwSslPolicy20170401S", "AppGwSslPolicy20220101", "AppGwSslPolicy20220101S")),
    ),
)
"""A policy that takes no client below TLS 1.2 (Application Gateway, overview of TLS policies)."""

RULES.row(
    "az-storage-https",
    "A storage account takes requests over HTTPS only; for NFS it is closed to the internet.",
    on=_STORAGE,
    check=All(
        Where(All(IsNot("enableNfsV3", value=True), IsNot("kind", "FileStorage")), _HTTPS_ONLY),
        Where(
            Either(Is("enableNfsV3", value=True), Is("kind", "FileStorage")),
            Either(_HTTPS_ONLY, Is("publicNetworkAccess", "Disabled"), Is("networkRuleSet.defaultAction", "Deny")),
        ),
    ),
    weight=HIGH,
    why="Whoever listens on the way gets data, and the signed links that open more of it.",
    fix=(
        "Set enableHttpsTrafficOnly to true, or leave it out; where NFS needs it false, set publicNetworkAccess to "
        "Disabled and use private endpoints."
    ),
    peers="CKV_AZURE_3 AZU-0008",
    cis=("Azure 3.1†",),
)
RULES.row(
    "az-storage-tls12",
    "A storage account says that it takes no client below TLS 1.2.",
    on=_STORAGE,
    check=OneOf("minimumTlsVersion", ("TLS1_2", "TLS1_3")),
    weight=HIGH,
    why=(
        "What goes by TLS 1.0 or 1.1 can be read along. Azure has begun to refuse them, and audits still count an "
        "absent property as TLS 1.0."
    ),
    fix="Set minimumTlsVersion to TLS1_2.",
    peers="CKV_AZURE_44 AZU-0011",
    cis=("Azure 3.15†",),
    remedy=set_to("minimumTlsVersion", "TLS1_2"),
)
RULES.row(
    "az-appgw-tls",
    "An application gateway takes no client below TLS 1.2.",
    on=_GATEWAY,
    check=Each("sslPolicy", _SAFE_POLICY),
    weight=HIGH,
    why="TLS 1.0 and 1.1 can be broken by who stands in between, and a client can be talked down to them.",
    fix=(
        "Set sslPolicy to policyType Predefined with policyName AppGwSslPolicy20220101; clients that cannot do TLS 1.2 "
        "are turned away."
    ),
    peers="CKV_AZURE_218",
    remedy=set_to("sslPolicy", {"policyType": "Predefined", "policyName": "AppGwSslPolicy20220101"}),
)
RULES.row(
    "az-appgw-profile-tls",
    "No listener of an application gateway takes a client below TLS 1.2.",
    on=_GATEWAY,
    check=Each("sslProfiles[].sslPolicy", _SAFE_POLICY),
    weight=HIGH,
    why="A profile wins over the policy of its gateway: one listener with an old one opens a way in for old clients.",
    fix="Remove sslPolicy from the profile, or set its policyName to AppGwSslPolicy20220101.",
    peers="CKV_AZURE_218",
)
RULES.row(
    "az-redis-ssl",
    "A cache has no port without TLS.",
    on=_REDIS,
    check=IsNot("enableNonSslPort", value=True),
    weight=MEDIUM,
    why="The access key, sessions and answers of models cross the network in clear.",
    fix="Set enableNonSslPort to false, or leave it out, and let clients use port 6380.",
    peers="CKV_AZURE_91",
)
RULES.row(
    "az-redis-tls12",
    "A cache says that it takes no client below TLS 1.2.",
    on=_REDIS,
    check=OneOf("minimumTlsVersion", ("1.2", "1.3")),
    weight=MEDIUM,
    why="TLS 1.0 and 1.1 can be broken by who stands in between, and a client can be talked down to them.",
    fix='Set minimumTlsVersion to "1.2"; clients that cannot do that are turned away.',
    peers="CKV_AZURE_148",
    remedy=set_to("minimumTlsVersion", "1.2"),
)
RULES.row(
    "az-redis-enterprise-tls",
    "An enterprise cache speaks TLS only.",
    on="azure-native:redisenterprise:Database",
    check=IsNot("clientProtocol", "Plaintext"),
    weight=MEDIUM,
    why="The access key, sessions and answers of models cross the network in clear.",
    fix="Set clientProtocol to Encrypted, or leave it out.",
)
RULES.row(
    "az-pg-tls",
    "A PostgreSQL server refuses connections without TLS.",
    on="azure-native:dbforpostgresql:Configuration",
    check=Where(Is("configurationName", "require_secure_transport"), IsNot("value", "off")),
    weight=HIGH,
    why="A client that does not ask for TLS sends its password, or its token, and every row in clear.",
    fix="Set value to on, or remove the configuration, because on is Azure's default.",
)
