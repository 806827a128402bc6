"""Encryption in transit on Google Cloud."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from penstock.gcp.types import (
    ALLOYDB_INSTANCE,
    COMPUTE_FORWARDING_RULE,
    COMPUTE_GLOBAL_FORWARDING_RULE,
    CONTAINER_CLUSTER,
    MEMORYSTORE_INSTANCE,
    REDIS_CLUSTER,
    REDIS_INSTANCE,
    SQL_DATABASE_INSTANCE,
)
from penstock.graph.verdict import NOT_APPLICABLE, UNKNOWN, Outcome, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.checks import All, ByType, Custom, Each, Given, Is, IsNot, OneOf, Unlike, Where
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.remedies import in_turn, set_to
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IN_TRANSIT)

_POLICIES = ("gcp:compute/sSLPolicy:SSLPolicy", "gcp:compute/regionSslPolicy:RegionSslPolicy")
_URL_MAPS = {
    "gcp:compute/targetHttpProxy:TargetHttpProxy": "gcp:compute/uRLMap:URLMap",
    "gcp:compute/regionTargetHttpProxy:RegionTargetHttpProxy": "gcp:compute/regionUrlMap:RegionUrlMap",
}
_FORWARDING = (COMPUTE_GLOBAL_FORWARDING_RULE, COMPUTE_FORWARDING_RULE)
_ENCRYPTED = ("ENCRYPTED_ONLY", "TRUSTED_CLIENT_CERTIFICATE_REQUIRED")
_VERSIONS = ("TLS_1_2", "TLS_1_3")
_WEAK = "TLS_RSA_.*"
"""Ciphers of the profile COMPATIBLE that MODERN leaves out: whoever gets the key later reads what he recorded."""
_PROFILES = ("MODERN", "RESTRICTED", "CUSTOM", "FIPS_202205")

RULES.row(
    "gcp-sql-ssl",
    "A database refuses connections without TLS.",
    on=SQL_DATABASE_INSTANCE,
    check=Where(Given("settings"), OneOf("settings.ipConfiguration.sslMode", _ENCRYPTED)),
    severity=HIGH,
    rationale="A client that does not ask for TLS sends its password, or its token, and every row in clear.",
    fix="Set settings.ipConfiguration.sslMode to ENCRYPTED_ONLY; clients without TLS are turned away.",
    peers="CKV_GCP_6 GCP-0015 KICS:02474449",
    cis=("GCP 4.0: 6.4",),
)
RULES.row(
    "gcp-alloydb-ssl",
    "An AlloyDB instance refuses connections without TLS.",
    on=ALLOYDB_INSTANCE,
    check=IsNot("clientConnectionConfig.sslConfig.sslMode", "ALLOW_UNENCRYPTED_AND_ENCRYPTED"),
    severity=HIGH,
    rationale=(
        "A client that does not ask for TLS sends its password, or its token, and every embedding and row in clear."
    ),
    fix="Set clientConnectionConfig.sslConfig.sslMode to ENCRYPTED_ONLY; clients without TLS are turned away.",
)


def _strong_features(inputs: Mapping[str, Any], _: Settings) -> dict[str, Any]:
    """Leaves weak ciphers out of a list, as long as others remain."""
    given = inputs.get("customFeatures")
    features = given if isinstance(given, list) else []
    strong = [item for item in features if not (isinstance(item, str) and re.fullmatch(_WEAK, item))]
    return {"customFeatures": strong} if strong and strong != features else {}


RULES.row(
    "gcp-ssl-policy",
    "A policy of TLS takes no client below TLS 1.2, and no weak cipher.",
    on=_POLICIES,
    check=All(OneOf("minTlsVersion", _VERSIONS), OneOf("profile", _PROFILES), Unlike("customFeatures[]", _WEAK)),
    severity=HIGH,
    rationale="TLS 1.0 and 1.1 can be broken by whoever is in between, and a client can be downgraded to them.",
    fix="Set minTlsVersion to TLS_1_2 and profile to MODERN; clients that cannot do that are turned away.",
    peers="CKV_GCP_4 GCP-0039 KICS:14a457f0",
    cis=("GCP 4.0: 3.9",),
    remedy=in_turn(
        set_to("minTlsVersion", "TLS_1_2", keep=_VERSIONS),
        set_to("profile", "MODERN", keep=_PROFILES),
        _strong_features,
    ),
)
RULES.row(
    "gcp-https-proxy-policy",
    "A load balancer has a policy of TLS.",
    on=(
        "gcp:compute/targetHttpsProxy:TargetHttpsProxy",
        "gcp:compute/regionTargetHttpsProxy:RegionTargetHttpsProxy",
        "gcp:compute/targetSSLProxy:TargetSSLProxy",
    ),
    check=Given("sslPolicy"),
    severity=MEDIUM,
    rationale="Without one Google takes clients of TLS 1.0 with every cipher that it knows.",
    fix="Set sslPolicy to an `SSLPolicy` with minTlsVersion TLS_1_2.",
)


def _proxy_redirects(it: View, settings: Settings) -> Verdict:
    """Judge a proxy where no forwarding rule of the program leads to it, which is judged then."""
    led = any(it.referrers(type_, "target") for type_ in _FORWARDING)
    return NOT_APPLICABLE if led else _sends_all_to_https(it, settings)


def _target_redirects(it: View, settings: Settings) -> Verdict:
    proxies = it.found("target", *_URL_MAPS)
    if not proxies and "/targetHttpProxies/" in (it.text("target") or ""):
        return UNKNOWN  # a proxy of another program may send clients to HTTPS
    return each(proxies, lambda proxy: _sends_all_to_https(proxy, settings, "target"))


def _sends_all_to_https(it: View, settings: Settings, path: str = "urlMap") -> Verdict:
    """Return whether the map of URLs of a proxy answers every request with a redirect to HTTPS."""
    url_map = it.one("urlMap", _URL_MAPS[it.type])
    if url_map is None:
        return NOT_APPLICABLE
    said = _REDIRECTS.judge(url_map, settings)
    if said.outcome is not Outcome.FAIL:
        return said
    return fail(f"{url_map.name} serves without TLS: {said.failures[0].message} there", path=path)


_REDIRECTS = All(
    Is("defaultUrlRedirect.httpsRedirect", value=True),
    Each(
        "pathMatchers[]",
        All(
            Is("defaultUrlRedirect.httpsRedirect", value=True),
            Is("pathRules[].urlRedirect.httpsRedirect", value=True),
            Is("routeRules[].urlRedirect.httpsRedirect", value=True),
        ),
    ),
)

RULES.row(
    "gcp-http-proxy-none",
    "A load balancer serves over HTTPS, or sends clients there.",
    on=(*_URL_MAPS, *_FORWARDING),
    check=ByType(
        dict.fromkeys(_URL_MAPS, Custom(_proxy_redirects, others=True))
        | dict.fromkeys(_FORWARDING, Custom(_target_redirects, others=True))
    ),
    severity=MEDIUM,
    rationale="Tokens, prompts and answers cross the network in clear, and whoever is in between can change them.",
    fix="Use a `TargetHttpsProxy`, or a `URLMap` that has only defaultUrlRedirect with httpsRedirect true.",
    peers="CKV2_GCP_37 CKV2_GCP_38",
)

RULES.row(
    "gcp-redis-transit",
    "A cache encrypts in transit.",
    on=(REDIS_INSTANCE, REDIS_CLUSTER, MEMORYSTORE_INSTANCE),
    check=ByType(
        {
            REDIS_INSTANCE: Is("transitEncryptionMode", "SERVER_AUTHENTICATION"),
            REDIS_CLUSTER: Is("transitEncryptionMode", "TRANSIT_ENCRYPTION_MODE_SERVER_AUTHENTICATION"),
            MEMORYSTORE_INSTANCE: Is("transitEncryptionMode", "SERVER_AUTHENTICATION"),
        }
    ),
    severity=MEDIUM,
    rationale="Sessions and answers of models cross the network in clear, and the password with them.",
    fix="Set transitEncryptionMode to the mode of server authentication; an existing cache is replaced.",
    peers="CKV_GCP_97",
)
RULES.row(
    "gcp-gke-intertransit",
    "Where it is enabled, nodes encrypt what pods send each other.",
    on=CONTAINER_CLUSTER,
    check=Where(
        All(
            Custom(lambda _, settings: allow(settings.parameters.encrypted_pod_traffic, "nobody asks for it")),
            IsNot("enableMultiNetworking", value=True),
        ),
        Is("inTransitEncryptionConfig", "IN_TRANSIT_ENCRYPTION_INTER_NODE_TRANSPARENT"),
    ),
    severity=LOW,
    rationale="Pods that speak HTTP to each other are read by whoever gets a foothold in the network.",
    fix=(
        "Set inTransitEncryptionConfig to IN_TRANSIT_ENCRYPTION_INTER_NODE_TRANSPARENT on a cluster with Dataplane V2; "
        "it costs throughput, so it does not suit the traffic of training."
    ),
)
