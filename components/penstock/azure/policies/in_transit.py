"""Encryption in transit on Azure."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import (
    APIMANAGEMENT_API_MANAGEMENT_SERVICE,
    APIMANAGEMENT_BACKEND,
    APP_CONTAINER_APP,
    COSMOSDB_DATABASE_ACCOUNT,
    DBFORMYSQL_CONFIGURATION,
    DBFORPOSTGRESQL_CONFIGURATION,
    EVENTGRID_DOMAIN,
    EVENTGRID_NAMESPACE,
    EVENTGRID_TOPIC,
    EVENTHUB_NAMESPACE,
    NETWORK_APPLICATION_GATEWAY,
    REDIS,
    REDISENTERPRISE_DATABASE,
    REDISENTERPRISE_REDIS_ENTERPRISE,
    SERVICEBUS_NAMESPACE,
    SQL_MANAGED_INSTANCE,
    SQL_SERVER,
    STORAGE_ACCOUNT,
    WEB_APP,
    WEB_APP_SLOT,
)
from penstock.rules.checks import All, ByType, Each, Either, Is, IsNot, NoneOf, OneOf, Unlike, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.remedies import set_to
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.IN_TRANSIT)

_ROUTE = "azure-native:cdn:Route"
_HTTPS_ONLY = IsNot("enableHttpsTrafficOnly", value=False)
_CUSTOM = ("Custom", "CustomV2")
_SAFE_POLICY = All(
    Where(
        OneOf("policyType", _CUSTOM),
        All(OneOf("minProtocolVersion", ("TLSv1_2", "TLSv1_3")), Unlike("cipherSuites[]", r".*(3DES|RC4|NULL|MD5).*")),
    ),
    Where(
        NoneOf("policyType", _CUSTOM),
        OneOf("policyName", ("AppGwSslPolicy20170401S", "AppGwSslPolicy20220101", "AppGwSslPolicy20220101S")),
    ),
)
"""A policy that takes no client below TLS 1.2, and no broken cipher (Application Gateway, overview of TLS policies)."""

RULES.row(
    "az-storage-https",
    "A storage account takes requests over HTTPS only; for NFS it is closed to the internet.",
    on=STORAGE_ACCOUNT,
    check=All(
        Where(All(IsNot("enableNfsV3", value=True), IsNot("kind", "FileStorage")), _HTTPS_ONLY),
        Where(
            Either(Is("enableNfsV3", value=True), Is("kind", "FileStorage")),
            Either(_HTTPS_ONLY, Is("publicNetworkAccess", "Disabled"), Is("networkRuleSet.defaultAction", "Deny")),
        ),
    ),
    severity=HIGH,
    rationale="Whoever listens on the way gets data, and the signed links that open more of it.",
    fix=(
        "Set enableHttpsTrafficOnly to true, or leave it out; where NFS needs it false, set publicNetworkAccess to "
        "Disabled and use private endpoints."
    ),
    peers="CKV_AZURE_3 AZU-0008 AZU-0059 KICS:1367dd13 KICS:12944ec4",
    cis=("Azure 2.1: 3.1†",),
)
RULES.row(
    "az-storage-tls12",
    "A storage account says that it takes no client below TLS 1.2.",
    on=STORAGE_ACCOUNT,
    check=OneOf("minimumTlsVersion", ("TLS1_2", "TLS1_3")),
    severity=MEDIUM,
    rationale=(
        "What goes by TLS 1.0 or 1.1 can be read along. Azure refuses both since February 2026, and audits still count "
        "an absent property as TLS 1.0."
    ),
    fix="Set minimumTlsVersion to TLS1_2.",
    peers="CKV_AZURE_44 AZU-0011 AZU-0059 KICS:8263f146",
    cis=("Azure 2.1: 3.15†",),
    sources=(
        "Azure Storage, migration to TLS 1.2 <https://learn.microsoft.com/en-us/azure/storage/common/transport-layer-security-configure-migrate-to-tls2>",
    ),
    remedy=set_to("minimumTlsVersion", "TLS1_2"),
)
RULES.row(
    "az-appgw-tls",
    "An application gateway takes no client below TLS 1.2.",
    on=NETWORK_APPLICATION_GATEWAY,
    check=Each("sslPolicy", _SAFE_POLICY),
    severity=HIGH,
    rationale="TLS 1.0 and 1.1 can be broken by whoever is in between, and a client can be downgraded to them.",
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
    on=NETWORK_APPLICATION_GATEWAY,
    check=Each("sslProfiles[].sslPolicy", _SAFE_POLICY),
    severity=HIGH,
    rationale=(
        "A profile wins over the policy of its gateway: one listener with an old one opens a way in for old clients."
    ),
    fix="Remove sslPolicy from the profile, or set its policyName to AppGwSslPolicy20220101.",
    peers="CKV_AZURE_218",
)
RULES.row(
    "az-redis-ssl",
    "A cache has no port without TLS.",
    on=REDIS,
    check=IsNot("enableNonSslPort", value=True),
    severity=MEDIUM,
    rationale="The access key, sessions and answers of models cross the network in clear.",
    fix="Set enableNonSslPort to false, or leave it out, and let clients use port 6380.",
    peers="CKV_AZURE_91 KICS:e29a75e6",
)
RULES.row(
    "az-redis-tls12",
    "A cache says that it takes no client below TLS 1.2.",
    on=REDIS,
    check=OneOf("minimumTlsVersion", ("1.2", "1.3")),
    severity=MEDIUM,
    rationale="TLS 1.0 and 1.1 can be broken by whoever is in between, and a client can be downgraded to them.",
    fix='Set minimumTlsVersion to "1.2"; clients that cannot do that are turned away.',
    peers="CKV_AZURE_148 KICS:e22e5620",
    remedy=set_to("minimumTlsVersion", "1.2"),
)
RULES.row(
    "az-redis-enterprise-tls",
    "An enterprise cache speaks TLS only.",
    on=REDISENTERPRISE_DATABASE,
    check=IsNot("clientProtocol", "Plaintext"),
    severity=MEDIUM,
    rationale="The access key, sessions and answers of models cross the network in clear.",
    fix="Set clientProtocol to Encrypted, or leave it out.",
)
_WEB: Final = (WEB_APP, WEB_APP_SLOT)
_OLD: Final = ("None", "1.0", "1.1")
_GATEWAY_PROTOCOLS: Final = 'customProperties."Microsoft.WindowsAzure.ApiManagement.Gateway.Security'
_LEAST: Final = {
    APIMANAGEMENT_API_MANAGEMENT_SERVICE: All(
        *(
            IsNot(f'{_GATEWAY_PROTOCOLS}.{side}{old}"', value=True)
            for side in ("Protocols.", "Backend.Protocols.")
            for old in ("Tls10", "Tls11", "Ssl30")
        )
    ),
    "azure-native:cdn:AFDCustomDomain": NoneOf("tlsSettings.minimumTlsVersion", ("TLS10",)),
    COSMOSDB_DATABASE_ACCOUNT: NoneOf("minimalTlsVersion", ("Tls", "Tls11")),
    EVENTGRID_DOMAIN: NoneOf("minimumTlsVersionAllowed", _OLD),
    EVENTGRID_NAMESPACE: NoneOf("minimumTlsVersionAllowed", _OLD),
    EVENTGRID_TOPIC: NoneOf("minimumTlsVersionAllowed", _OLD),
    EVENTHUB_NAMESPACE: NoneOf("minimumTlsVersion", _OLD),
    REDISENTERPRISE_REDIS_ENTERPRISE: NoneOf("minimumTlsVersion", _OLD),
    SERVICEBUS_NAMESPACE: NoneOf("minimumTlsVersion", _OLD),
    SQL_MANAGED_INSTANCE: NoneOf("minimalTlsVersion", _OLD),
    SQL_SERVER: NoneOf("minimalTlsVersion", _OLD),
    **dict.fromkeys(_WEB, All(NoneOf("siteConfig.minTlsVersion", _OLD), NoneOf("siteConfig.scmMinTlsVersion", _OLD))),
}
"""Services that take TLS 1.2 and newer unless configured otherwise, and the property for that."""

RULES.row(
    "az-service-tls12",
    "No database, queue, gateway or web app accepts clients below TLS 1.2.",
    on=tuple(_LEAST),
    check=ByType(_LEAST),
    severity=MEDIUM,
    rationale="TLS 1.0 and 1.1 can be broken by whoever is in between, and a client can be downgraded to them.",
    fix="Set the property to 1.2 (Tls12 for Cosmos DB, TLS12 for Front Door, False in customProperties), or leave it "
    "out; clients that cannot do that are turned away.",
    peers="CKV_AZURE_15 CKV_AZURE_52 CKV_AZURE_205 CKV_AZURE_223 AZU-0006 AZU-0026 KICS:b5c851d5 KICS:b7b9d1c7 "
    "KICS:45fc717a KICS:03928f0d KICS:22cb3507 CKV_AZURE_145 CKV_AZURE_154 CKV_AZURE_173",
)
RULES.row(
    "az-web-https",
    "Web apps, container apps and routes of Front Door take requests over HTTPS only.",
    on=(*_WEB, APP_CONTAINER_APP, _ROUTE),
    check=ByType(
        {
            **dict.fromkeys(_WEB, Is("httpsOnly", value=True)),
            APP_CONTAINER_APP: IsNot("configuration.ingress.allowInsecure", value=True),
            _ROUTE: Either(Is("httpsRedirect", "Enabled"), NoneOf("supportedProtocols[]", ("Http",))),
        }
    ),
    severity=HIGH,
    rationale="Whoever listens on the way reads prompts and answers, and takes over with the tokens that go with them.",
    fix="Set httpsOnly to true (httpsRedirect of a route to Enabled), or leave ingress.allowInsecure out.",
    peers="CKV_AZURE_14 AZU-0072 AZU-0004 CKV_AZURE_70 CKV_AZURE_153 KICS:11e9a948 KICS:488847ff",
)
RULES.row(
    "az-apim-backend-tls",
    "An API gateway makes sure that it speaks with the backend that it means.",
    on=APIMANAGEMENT_BACKEND,
    check=All(IsNot("tls.validateCertificateChain", value=False), IsNot("tls.validateCertificateName", value=False)),
    severity=MEDIUM,
    rationale="Whoever is the gateway and a model reads prompts, and takes the key that the gateway sends.",
    fix="Remove tls.validateCertificateChain and tls.validateCertificateName, and upload the backend's own authority.",
)
RULES.row(
    "az-web-ftps",
    "A web app takes no code over FTP in clear.",
    on=_WEB,
    check=IsNot("siteConfig.ftpsState", "AllAllowed"),
    severity=MEDIUM,
    rationale="The password of whoever deploys crosses the network in clear, and puts other code into the app.",
    fix="Set siteConfig.ftpsState to Disabled, or to FtpsOnly.",
    peers="CKV_AZURE_78 AZU-0071 KICS:85da374f KICS:9dab0179",
)
RULES.row(
    "az-pg-tls",
    "A PostgreSQL or MySQL server refuses connections without TLS.",
    on=(DBFORPOSTGRESQL_CONFIGURATION, DBFORMYSQL_CONFIGURATION),
    check=Where(Is("configurationName", "require_secure_transport"), IsNot("value", "off")),
    severity=HIGH,
    rationale="A client that does not ask for TLS sends its password, or its token, and every row in clear.",
    fix="Set value to on, or remove the configuration, because on is Azure's default.",
    peers="KICS:90120147 KICS:bf500309 KICS:73e42469 KICS:0437633b AZU-0020 CKV_AZURE_28 CKV_AZURE_29",
)
