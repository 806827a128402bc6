"""Encryption in transit on Azure: protocols of databases, file shares, gateways and web apps."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import (
    APIMANAGEMENT_BACKEND,
    DBFORMYSQL_CONFIGURATION,
    DBFORPOSTGRESQL_CONFIGURATION,
    STORAGE_FILE_SERVICE_PROPERTIES,
    WEB_APP,
    WEB_APP_SLOT,
)
from penstock.rules.checks import All, ByType, Is, Matches, NoneOf, Unlike, Where
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.IN_TRANSIT)


RULES.row(
    "az-db-tls12",
    "PostgreSQL and MySQL servers accept no client below TLS 1.2.",
    on=(DBFORPOSTGRESQL_CONFIGURATION, DBFORMYSQL_CONFIGURATION),
    check=ByType(
        {
            DBFORPOSTGRESQL_CONFIGURATION: Where(
                Is("configurationName", "ssl_min_protocol_version"), NoneOf("value", ("TLSv1", "TLSv1.0", "TLSv1.1"))
            ),
            DBFORMYSQL_CONFIGURATION: Where(
                Is("configurationName", "tls_version"), Unlike("value", r"(?i).*TLSv1(\.[01])?\s*(,.*)?")
            ),
        }
    ),
    severity=MEDIUM,
    rationale="TLS 1.0 and 1.1 can be broken on the way, and clients can be downgraded to them.",
    fix="Set value to TLSv1.2 (TLSv1.2,TLSv1.3 for MySQL), or remove the configuration.",
    peers="CKV_AZURE_54 CKV_AZURE_147 KICS:9f15ecc4",
)

_WEBHOOK: Final = "azure-native:containerregistry:Webhook"

RULES.row(
    "az-calls-https",
    "Gateways and registries call others over HTTPS.",
    on=(APIMANAGEMENT_BACKEND, _WEBHOOK),
    check=ByType(
        {APIMANAGEMENT_BACKEND: Unlike("url", r"(?i)http://.*"), _WEBHOOK: Unlike("serviceUri", r"(?i)http://.*")}
    ),
    severity=MEDIUM,
    rationale="Prompts, answers and the keys in headers cross the network in clear text.",
    fix="Give url (serviceUri of a webhook) an https:// address.",
    peers="CKV_AZURE_215 CKV2_AZURE_30",
)
RULES.row(
    "az-smb-encryption",
    "File shares accept SMB 3.1.1 with AES-256-GCM only.",
    on=STORAGE_FILE_SERVICE_PROPERTIES,
    check=All(
        Matches("protocolSettings.smb.versions", r"SMB3\.1\.1;?"),
        Matches("protocolSettings.smb.channelEncryption", r"AES-256-GCM;?"),
    ),
    severity=LOW,
    rationale="Clients can negotiate SMB 2.1, which has no encryption, or weaker ciphers.",
    fix="Set protocolSettings.smb.versions to SMB3.1.1 and channelEncryption to AES-256-GCM; older clients cannot "
    "mount "
    "the shares then.",
    peers="KICS:233ab26d KICS:621fc7c5",
)
RULES.row(
    "az-web-http2",
    "A web app speaks HTTP/2.",
    on=(WEB_APP, WEB_APP_SLOT),
    check=Is("siteConfig.http20Enabled", value=True),
    severity=LOW,
    rationale="Streams of tokens wait for each other on HTTP/1.1 connections, and audits count the older version.",
    fix="Remove siteConfig.http20Enabled, or set it to true.",
    peers="CKV_AZURE_18 CKV_AZURE_67 AZU-0005 KICS:70111098 KICS:525b53be KICS:ace823d1",
    cis=("Azure 2.1: 9.9†",),
)

RULES.row(
    "az-apim-api-https",
    "An API of API Management takes requests over TLS only.",
    on="azure-native:apimanagement:Api",
    check=NoneOf("protocols[]", ("http", "ws")),
    severity=HIGH,
    rationale="Subscription keys, tokens and prompts cross the internet in clear.",
    fix="Set protocols to [https], or to [wss] for a WebSocket.",
    sources=(
        (
            "API Management REST API, Api: protocols "
            "<https://learn.microsoft.com/rest/api/apimanagement/apis/create-or-update>"
        ),
    ),
)
