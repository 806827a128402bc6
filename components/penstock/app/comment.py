"""A report as a comment on a pull or merge request: created once, then updated in place.

The first line of a Markdown report is an invisible marker. The comment of the same author that begins with it is the
earlier report of the same command and project, so it is replaced. A comment of another author is never touched: its
author could change the report afterwards.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from typing_extensions import override

from penstock.core.errors import CannotComment
from penstock.core.wording import quoted
from penstock.report.markdown import MOST_CHARACTERS

_TIMEOUT_S: Final = 60
_PAGE: Final = 100
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_MARKER: Final = re.compile(r"<!-- penstock \S.* -->")
_CUT: Final = (
    "\n\nThe rest is left out: a comment holds 65,536 characters. The artifacts of the pipeline have all of it.\n"
)

_GITHUB: Final = re.compile(r"/(?P<project>[\w-][\w.-]*/[\w-][\w.-]*)/pull/(?P<number>\d+)/?")
_GITLAB: Final = re.compile(r"/(?P<project>[\w-][\w.-]*(?:/[\w-][\w.-]*)+)/-/merge_requests/(?P<number>\d+)/?")


@dataclass(frozen=True, slots=True)
class Discussion:
    """Where the API of a host has the comments of one pull or merge request.

    `author` is the field of a comment that holds its author, and `login` the field of an author that holds the name.
    """

    api: str
    comments: str
    comment: str
    method: str
    token: str
    author: str
    login: str


def discussion_at(url: str) -> Discussion:
    """Return where the comments of a pull request of GitHub or a merge request of GitLab are.

    Args:
        url: its address in a browser. Its host must be the one that the CI system names in GITHUB_SERVER_URL or
            CI_SERVER_URL; without the variable, github.com or gitlab.com.

    Raises:
        CannotComment: it is neither, is on another host, or would be reached without encryption.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    # Plain http to this machine never leaves it.
    if parts.scheme != "https" and not (parts.scheme == "http" and host in _LOOPBACK):
        raise CannotComment(f"{quoted(url)} must begin with https://, because a token is sent there")
    site = f"{parts.scheme}://{parts.netloc}".lower()
    if found := _GITHUB.fullmatch(parts.path):
        _check_host(site, "GITHUB_SERVER_URL", "https://github.com")
        project = f"/repos/{found['project']}/issues"
        return Discussion(
            api=_github_api(site, host),
            comments=f"{project}/{found['number']}/comments",
            comment=f"{project}/comments",
            method="PATCH",
            token="GITHUB_TOKEN",  # noqa: S106 the name of a variable
            author="user",
            login="login",
        )
    if found := _GITLAB.fullmatch(parts.path):
        _check_host(site, "CI_SERVER_URL", "https://gitlab.com")
        notes = f"/projects/{quote(found['project'], safe='')}/merge_requests/{found['number']}/notes"
        return Discussion(
            api=f"{site}/api/v4",
            comments=notes,
            comment=notes,
            method="PUT",
            token="GITLAB_TOKEN",  # noqa: S106 the name of a variable
            author="author",
            login="username",
        )
    raise CannotComment(
        f"{quoted(url)} is neither a pull request of GitHub (https://HOST/OWNER/REPOSITORY/pull/1) "
        "nor a merge request of GitLab (https://HOST/GROUP/PROJECT/-/merge_requests/1)"
    )


def _check_host(site: str, variable: str, default: str) -> None:
    """Refuse a host that the CI system does not name: the URL alone must not decide where a token goes."""
    own = (os.environ.get(variable) or default).rstrip("/").lower()
    if site != own:
        raise CannotComment(
            f"the token is sent only to {own}, not to {site}: set {variable}={site} if that is your own server"
        )


def _github_api(site: str, host: str) -> str:
    if host == "github.com" or host.endswith(".ghe.com"):
        return f"https://api.{host}"
    return f"{site}/api/v3"


def post(report: Path, url: str) -> bool:
    """Post a Markdown report as a comment, and return whether an earlier one was updated.

    Args:
        report: the file; its first line is the marker that identifies the comment.
        url: the address of the pull or merge request.

    Raises:
        CannotComment: the file is no Markdown report, there is no token, or the host refuses.
    """
    discussion = discussion_at(url)
    text = _text_of(report)
    token = os.environ.get(discussion.token, "")
    if not token:
        raise CannotComment(f"{discussion.token} must hold a token that may write comments; it is not set")
    session = _Session(discussion, token)
    earlier = session.earlier(text.partition("\n")[0])
    if earlier is None:
        session.call("POST", discussion.comments, {"body": text})
    else:
        session.call(discussion.method, f"{discussion.comment}/{earlier}", {"body": text})
    return earlier is not None


def _text_of(report: Path) -> str:
    try:
        text = report.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CannotComment(f"{report} cannot be read: {error}") from None
    if not _MARKER.fullmatch(text.partition("\n")[0].rstrip()):
        raise CannotComment(
            f"{report} is not a Markdown report: its first line must be a marker, <!-- penstock ... -->"
        )
    if len(text) <= MOST_CHARACTERS:
        return text
    return text[: MOST_CHARACTERS - len(_CUT)].rpartition("\n")[0] + _CUT


class _NoRedirect(HTTPRedirectHandler):
    """A redirect is an error: urllib would send the token to the new host."""

    @override
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass(frozen=True, slots=True)
class _Session:
    """Calls to the API of a host."""

    discussion: Discussion
    token: str

    def earlier(self, marker: str) -> int | None:
        """Return the id of the first own comment that begins with a marker."""
        mine = self._author()
        for comment in self._comments():
            author = comment.get(self.discussion.author) or {}
            own = author.get("type") == "Bot" if mine is None else author.get(self.discussion.login) == mine
            if own and str(comment.get("body", "")).startswith(marker):
                return int(comment["id"])
        return None

    def _author(self) -> str | None:
        """The name that the token writes under; None for an app of GitHub, which cannot ask and writes as a bot."""
        try:
            return str(self.call("GET", "/user").get(self.discussion.login))
        except _Refused as refused:
            if refused.status == 403 and self.discussion.author == "user":  # noqa: PLR2004
                return None
            raise

    def _comments(self) -> Iterator[Mapping[str, Any]]:
        page = 1
        while found := self.call("GET", f"{self.discussion.comments}?per_page={_PAGE}&page={page}"):
            yield from found
            page += 1

    def call(self, method: str, path: str, body: Mapping[str, str] | None = None) -> Any:
        """Return what the API answers, as JSON."""
        request = Request(  # noqa: S310 https, or http to this machine
            self.discussion.api + path,
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
                "User-Agent": "penstock",
            },
        )
        where = urlsplit(self.discussion.api).netloc
        try:
            with build_opener(_NoRedirect).open(request, timeout=_TIMEOUT_S) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error:
                raise _Refused(where, error.code, method) from None
        except (URLError, HTTPException, OSError) as error:
            raise CannotComment(f"{where} cannot be reached: {getattr(error, 'reason', error)}") from None
        except ValueError:
            raise CannotComment(f"{where} does not answer in JSON: is it the host of the request?") from None


class _Refused(CannotComment):
    """The host answered with an error."""

    def __init__(self, where: str, status: int, method: str) -> None:
        super().__init__(f"{where} refused {method} with status {status}{_MEANING.get(status, '')}")
        self.status = status


_MEANING: Final = {
    401: ": the token is not valid, or has expired",
    403: ": the token may not write comments. GitHub needs `pull-requests: write`, GitLab the scope `api`",
    404: ": there is no such request, or the token may not see it",
}
