"""A subscription of Azure, by azure-identity and Azure's own pipeline: reads only, as whoever runs it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

from penstock.core.distribution import install_command
from penstock.core.errors import CannotAsk
from penstock.preflight.inquiry import Reply, not_asked, not_met
from penstock.preflight.rest import CONNECT_S, READ_S, TRIES, Refused, Silent

PUBLIC: Final = "https://management.azure.com"
GRAPH: Final = "https://graph.microsoft.com"

_ENDPOINTS: Final = {
    "public": PUBLIC,
    "usgovernment": "https://management.usgovcloudapi.net",
    "china": "https://management.chinacloudapi.cn",
}
"""Azure Resource Manager of each cloud that the provider's `environment` names."""

_INSTALL: Final = install_command("preflight-azure")
_LOG_IN: Final = "az login"
_DENIED, _ABSENT = 403, 404


class AzureSubscription:
    """Read calls about one subscription, and about the directory that it trusts; threads share it."""

    def __init__(self, id_: str, credential: Any, endpoint: str = PUBLIC, graph: str = GRAPH) -> None:
        self.id = id_
        self._arm, self._graph = _Api(credential, endpoint), _Api(credential, graph)

    @property
    def path(self) -> str:
        """The path of the subscription."""
        return f"/subscriptions/{self.id}"

    def get(self, path: str, version: str) -> Mapping[str, Any]:
        """Read something by its id.

        Raises:
            Refused: Azure answers with an error.
            Silent: there is no answer in time.
        """
        sign = "&" if "?" in path else "?"
        return self._arm.get(f"{path}{sign}api-version={version}")

    def values(self, path: str, version: str) -> list[Mapping[str, Any]]:
        """Read all pages of a list; raises as `get`."""
        page = self.get(path, version)
        found: list[Mapping[str, Any]] = list(page.get("value", ()))
        while page.get("nextLink"):
            page = self._arm.get(str(page["nextLink"]))
            found += page.get("value", ())
        return found

    def principal(self, id_: str) -> Mapping[str, Any]:
        """Read a group, user or application of the directory; raises as `get`."""
        return self._graph.get(f"/v1.0/directoryObjects/{id_}")


def open_subscription(id_: str, environment: str) -> AzureSubscription:
    """Return a subscription with the credentials that Azure's SDK finds.

    Raises:
        CannotAsk: azure-identity is missing, no subscription is named, or Azure accepts no credentials.
    """
    try:
        from azure.core.exceptions import ClientAuthenticationError
        from azure.identity import DefaultAzureCredential
    except ImportError:
        raise CannotAsk(f"To ask Azure takes azure-identity: {_INSTALL}.") from None
    if not id_:
        raise CannotAsk("No subscription is named: set cloud.account, or subscriptionId of the provider.")
    endpoint = _ENDPOINTS.get(environment, PUBLIC)
    # The SDK tells at length, and before the sentence below, what it tried; each answer says what it needs.
    for library in ("azure.identity", "azure.core"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    credential = DefaultAzureCredential()
    try:
        credential.get_token(f"{endpoint}/.default")
    except ClientAuthenticationError:
        raise CannotAsk(f"Azure accepts no credentials here. Log in: {_LOG_IN}.") from None
    return AzureSubscription(id_, credential, endpoint)


def reply_to(refusal: Refused, permission: str) -> Reply:
    """The answer where a question ends with an error; `permission` is what the call takes."""
    if refusal.status == _DENIED:
        return not_asked(f"{refusal.reason}: the caller lacks {permission}.", f"Grant {permission}.")
    return not_asked(f"Azure answered {refusal}")


def absent(refusal: Refused, permission: str) -> Reply:
    """The answer of a question for a thing, where an error may say that there is none."""
    return not_met("There is none.") if refusal.status == _ABSENT else reply_to(refusal, permission)


class _Api:
    """One API at an address, by the pipeline of Azure's SDK: its credentials, retries and time-outs."""

    def __init__(self, credential: Any, endpoint: str) -> None:
        from azure.core import PipelineClient
        from azure.core.pipeline import policies

        self._endpoint = endpoint
        self._client: Any = PipelineClient(
            base_url=endpoint,
            policies=[
                policies.UserAgentPolicy("penstock-preflight"),
                policies.RetryPolicy(retry_total=TRIES - 1, retry_backoff_factor=0.5),
                policies.BearerTokenCredentialPolicy(credential, f"{endpoint}/.default"),
            ],
            connection_timeout=CONNECT_S,
            read_timeout=READ_S,
        )

    def get(self, path: str) -> Mapping[str, Any]:
        """Read a path of the API, or the address of a next page."""
        from azure.core.exceptions import AzureError
        from azure.core.rest import HttpRequest

        url = path if path.startswith(self._endpoint) else f"{self._endpoint}{path}"
        try:
            # No token goes to another host without TLS: the address is that of a cloud, or one on loopback.
            answer = self._client.send_request(HttpRequest("GET", url), enforce_https=url.startswith("https://"))
            content = answer.json() if answer.content else {}
        except (AzureError, ValueError) as error:
            raise Silent(type(error).__name__) from None
        if answer.status_code < 400:  # noqa: PLR2004 - HTTP
            found: Mapping[str, Any] = content
            return found
        problem = content.get("error", {}) if isinstance(content, Mapping) else {}
        code, message = str(problem.get("code") or ""), str(problem.get("message") or "no reason given")
        raise Refused(answer.status_code, code, message)
