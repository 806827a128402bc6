"""The APIs of Google Cloud, by google-auth and REST: reads only, with the credentials of whoever runs it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from threading import local
from typing import Any, Final

from penstock.core.distribution import install_command
from penstock.core.errors import CannotAsk
from penstock.preflight.inquiry import Reply, not_asked, not_met
from penstock.preflight.rest import CONNECT_S, READ_S, TRANSIENT, TRIES, Refused, Silent

ENDPOINT: Final = "PENSTOCK_GOOGLE_ENDPOINT"
"""The variable with another address of the APIs, such as https://{service}-mine.p.googleapis.com."""

_PUBLIC: Final = "https://{service}.googleapis.com"
_SCOPES: Final = (
    "https://www.googleapis.com/auth/cloud-platform",
    "https://www.googleapis.com/auth/cloud-identity.groups.readonly",
)
_INSTALL: Final = install_command("preflight-gcp")
_LOG_IN: Final = "gcloud auth application-default login"
_OFF: Final = ("SERVICE_DISABLED", "accessNotConfigured")
_DENIED, _ABSENT = 403, 404
_PAGE: Final = "nextPageToken"


class GoogleCloud:
    """Read calls with one set of credentials; each thread has a session of its own."""

    def __init__(self, credentials: Any, endpoint: str = _PUBLIC) -> None:
        self._credentials, self._endpoint = credentials, endpoint.rstrip("/")
        self._sessions = local()

    @property
    def caller(self) -> str:
        """The address of the account that asks, as far as its credentials show it."""
        for name in ("service_account_email", "account"):
            address = getattr(self._credentials, name, "")
            if address and address != "default":
                return str(address)
        return "the user of the application default credentials"

    def get(self, service: str, path: str) -> Mapping[str, Any]:
        """Read something.

        Raises:
            Refused: the API answers with an error.
            Silent: there is no answer in time.
        """
        return self._call("GET", service, path, None)

    def pages(self, service: str, path: str) -> list[Mapping[str, Any]]:
        """Read all pages of a list; raises as `get`."""
        found: list[Mapping[str, Any]] = []
        token = ""
        while True:
            sign = "&" if "?" in path else "?"
            page = self.get(service, f"{path}{sign}pageToken={token}" if token else path)
            found.append(page)
            token = str(page.get(_PAGE) or "")
            if not token:
                return found

    def allowed(self, service: str, path: str, permissions: list[str]) -> list[str]:
        """Return which of some permissions the caller has on a resource; raises as `get`."""
        answer = self._call("POST", service, f"{path}:testIamPermissions", {"permissions": permissions})
        return [str(each) for each in answer.get("permissions", ())]

    def _call(self, method: str, service: str, path: str, body: Mapping[str, Any] | None) -> Mapping[str, Any]:
        from google.auth.exceptions import GoogleAuthError
        from requests import RequestException

        url = f"{self._endpoint.format(service=service)}/{path}"
        try:
            answer = self._session().request(method, url, json=body, timeout=(CONNECT_S, READ_S))
            content = answer.json() if answer.content else {}
        except (GoogleAuthError, RequestException, ValueError) as error:
            raise Silent(f"{service}: {type(error).__name__}") from None
        if answer.ok:
            found: Mapping[str, Any] = content
            return found
        raise _refused(answer.status_code, content)

    def _session(self) -> Any:
        from google.auth.transport.requests import AuthorizedSession
        from requests.adapters import HTTPAdapter
        from urllib3.util import Retry

        if not hasattr(self._sessions, "session"):
            retry = Retry(
                TRIES - 1,
                status_forcelist=TRANSIENT,
                allowed_methods=None,
                backoff_factor=0.5,
                raise_on_status=False,
            )
            session = AuthorizedSession(self._credentials)  # type: ignore[no-untyped-call]
            for scheme in ("https://", "http://"):
                session.mount(scheme, HTTPAdapter(max_retries=retry))
            self._sessions.session = session
        return self._sessions.session


def open_google_cloud() -> GoogleCloud:
    """Return Google Cloud with the application default credentials.

    Raises:
        CannotAsk: google-auth is missing, or there are no credentials that Google accepts.
    """
    try:
        import google.auth
        from google.auth.exceptions import GoogleAuthError
        from google.auth.transport.requests import Request
    except ImportError:
        raise CannotAsk(f"To ask Google Cloud takes google-auth with requests: {_INSTALL}.") from None
    try:
        credentials, _ = google.auth.default(scopes=list(_SCOPES))
        credentials.refresh(Request())  # type: ignore[no-untyped-call]
    except GoogleAuthError as error:
        reason = str(error.args[0] if error.args else error).splitlines()[0]
        raise CannotAsk(f"Google Cloud accepts no credentials here: {reason} Log in: {_LOG_IN}.") from None
    return GoogleCloud(credentials, os.environ.get(ENDPOINT) or _PUBLIC)


def reply_to(refusal: Refused, permission: str) -> Reply:
    """The answer where a question ends with an error; `permission` is what the call takes."""
    if refusal.reason in _OFF:
        return not_asked(f"The API that shows it is off: {refusal.message}")
    if refusal.status == _DENIED:
        return not_asked(f"{refusal.reason or 'Denied'}: the caller lacks {permission}.", f"Grant {permission}.")
    return not_asked(f"Google Cloud answered {refusal}")


def absent(refusal: Refused, permission: str) -> Reply:
    """The answer of a question for a thing, where an error may say that there is none."""
    return not_met("There is none.") if refusal.status == _ABSENT else reply_to(refusal, permission)


def _refused(status: int, content: Any) -> Refused:
    """Google API design guide, errors: `error` with code, message, status and details."""
    error = content.get("error") if isinstance(content, Mapping) else None
    if not isinstance(error, Mapping):
        return Refused(status, "", str(error or "no reason given"))
    details = [each for each in error.get("details", ()) if isinstance(each, Mapping)]
    reasons = [each["reason"] for each in (*details, *error.get("errors", ())) if each.get("reason")]
    message = str(error.get("message") or "no reason given").splitlines()[0]
    return Refused(status, str(reasons[0] if reasons else error.get("status") or ""), message)
