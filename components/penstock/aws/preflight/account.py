"""An account of AWS, by boto3: reads only, with the credentials of whoever runs it."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any, Final

from penstock.core.distribution import install_command
from penstock.core.errors import CannotAsk
from penstock.preflight.inquiry import Reply, not_asked, not_met
from penstock.preflight.rest import Silent

READS: Final = ("describe_", "get_", "list_", "simulate_")
"""The beginnings of the operations that change nothing."""

_CONNECT_S, _READ_S, _ATTEMPTS = 5, 30, 5

_REFUSALS: Final = frozenset(
    {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "UnauthorizedException", "AuthorizationError"}
)
_INSTALL: Final = install_command("preflight-aws")
_LOG_IN: Final = "aws sso login, or aws configure"
_PREFIXES: Final = {
    "service-quotas": "servicequotas",
    "elbv2": "elasticloadbalancing",
    "efs": "elasticfilesystem",
    "opensearch": "es",
}
"""What IAM calls services that their SDK calls otherwise."""


class AwsRefused(Exception):
    """AWS answered with an error: its code, and the permission that the call takes."""

    def __init__(self, code: str, message: str, permission: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.permission = code, message, permission

    @property
    def is_denial(self) -> bool:
        """True where the caller lacks a permission."""
        return self.code in _REFUSALS

    def reply(self) -> Reply:
        """The answer where a question ends with this error."""
        if self.is_denial:
            return not_asked(f"{self.code}: the caller lacks {self.permission}.", f"Grant {self.permission}.")
        return not_asked(f"AWS answered {self}")


class AwsAccount:
    """Read calls with one session; clients are made once for each service and region, and shared by threads."""

    def __init__(self, session: Any, region: str = "") -> None:
        from botocore.config import Config

        self._session, self._region = session, region
        self._config = Config(
            connect_timeout=_CONNECT_S,
            read_timeout=_READ_S,
            retries={"mode": "adaptive", "total_max_attempts": _ATTEMPTS},
            user_agent_extra="penstock-preflight",
        )
        self._clients: dict[tuple[str, str], Any] = {}
        self._lock = Lock()
        identity = self._identity()
        self.id, self.arn = str(identity["Account"]), str(identity["Arn"])

    def call(self, service: str, operation: str, region: str = "", **parameters: Any) -> Mapping[str, Any]:
        """Call an operation that reads; all pages of its answer together, where it has pages.

        Raises:
            AwsRefused: AWS answers with an error.
            Silent: there is no answer in time.
        """
        from botocore.exceptions import BotoCoreError, ClientError
        from botocore.parsers import ResponseParserError

        if not operation.startswith(READS):
            raise RuntimeError(f"{service}.{operation} may change something")
        client = self._client(service, region)
        try:
            if client.can_paginate(operation):
                pages = client.get_paginator(operation).paginate(**parameters)
                answer: Mapping[str, Any] = pages.build_full_result()
                return answer
            answer = getattr(client, operation)(**parameters)
        except ClientError as error:
            answered, name = error.response.get("Error", {}), error.operation_name
            permission = f"{_PREFIXES.get(service, service)}:{name}"
            raise AwsRefused(str(answered.get("Code")), str(answered.get("Message")), permission) from None
        except ResponseParserError:
            raise Silent(f"the answer of {service} is not of the form that it documents") from None
        except BotoCoreError as error:
            raise Silent(str(error)) from None
        return answer

    def _client(self, service: str, region: str) -> Any:
        key = service, region or self._region
        with self._lock:  # sessions are not for several threads; clients are
            if key not in self._clients:
                self._clients[key] = self._session.client(service, region_name=key[1] or None, config=self._config)
            return self._clients[key]

    def _identity(self) -> Mapping[str, Any]:
        from botocore.exceptions import BotoCoreError

        try:
            return self.call("sts", "get_caller_identity")
        except (AwsRefused, Silent, BotoCoreError) as error:
            raise CannotAsk(f"AWS accepts no credentials here: {error}. Log in: {_LOG_IN}.") from None


def open_account(region: str) -> AwsAccount:
    """Return the account of the credentials that the SDK finds, which asks in `region` where a call names no other.

    Raises:
        CannotAsk: boto3 is missing, or AWS accepts no credentials.
    """
    try:
        import boto3
    except ModuleNotFoundError:
        raise CannotAsk(f"To ask AWS takes boto3: {_INSTALL}.") from None
    from botocore.exceptions import BotoCoreError

    try:
        return AwsAccount(boto3.Session(), region)
    except BotoCoreError as error:
        raise CannotAsk(f"AWS accepts no credentials here: {error}. Log in: {_LOG_IN}.") from None


def absent(refusal: AwsRefused, absence: str) -> Reply:
    """The answer where an error says that there is no such thing, by its codes between spaces."""
    return not_met(refusal.message) if refusal.code in absence.split() else refusal.reply()
