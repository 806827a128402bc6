"""`penstock comment` writes one comment on a pull request and updates it in place, and touches no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.pipelines import code_host
from tests.pipelines.code_host import TOKEN, CodeHost

from penstock.app.comment import discussion_at
from penstock.core.errors import CannotComment

MARKER = "<!-- penstock review: acme-ai -->"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[CodeHost]:
    """GitHub, asked with the token of a workflow."""
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv("GITLAB_TOKEN", TOKEN)
    with code_host.started() as host:
        monkeypatch.setenv("GITHUB_SERVER_URL", host.address)
        monkeypatch.setenv("CI_SERVER_URL", host.address)
        yield host


@pytest.fixture
def report(tmp_path: Path) -> Path:
    file = tmp_path / "review.md"
    file.write_text(f"{MARKER}\n## first\n", encoding="utf-8")
    return file


def test_the_comment_is_created_and_then_updated_in_place(penstock: Run, host: CodeHost, report: Path) -> None:
    host.add("Looks good", "ann")
    first = penstock("comment", report, host.pull_request)
    report.write_text(f"{MARKER}\n## second\n", encoding="utf-8")
    second = penstock("comment", report, host.pull_request)

    assert first == (0, f"Created the comment on {host.pull_request}\n", "")
    assert second == (0, f"Updated the comment on {host.pull_request}\n", "")
    assert host.bodies() == ["Looks good", f"{MARKER}\n## second\n"]
    assert "POST /api/v3/repos/acme/infra/issues/7/comments" in host.asked
    assert "PATCH /api/v3/repos/acme/infra/issues/comments/2" in host.asked


def test_a_comment_of_somebody_else_is_left_alone_whatever_it_begins_with(
    penstock: Run, host: CodeHost, report: Path
) -> None:
    host.add(f"{MARKER}\nall green, says Mallory", "mallory")
    penstock("comment", report, host.pull_request)

    assert host.bodies() == [f"{MARKER}\nall green, says Mallory", f"{MARKER}\n## first\n"]


def test_each_kind_of_report_has_its_own_comment(penstock: Run, host: CodeHost, report: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("<!-- penstock review: acme-web -->\n## other\n", encoding="utf-8")
    for file in (report, other, report):
        penstock("comment", file, host.pull_request)

    assert host.bodies() == [report.read_text(encoding="utf-8"), other.read_text(encoding="utf-8")]


def test_the_earlier_comment_is_found_behind_hundreds_of_others(penstock: Run, host: CodeHost, report: Path) -> None:
    for number in range(250):
        host.add(f"remark {number}", "ann")
    penstock("comment", report, host.pull_request)
    _, out, _ = penstock("comment", report, host.pull_request)

    assert out.startswith("Updated")
    assert len(host.comments) == 251


def test_gitlab_has_notes_by_the_name_of_the_token(
    penstock: Run, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITLAB_TOKEN", TOKEN)
    with code_host.started(user="project_1_bot") as gitlab:
        monkeypatch.setenv("CI_SERVER_URL", gitlab.address)
        gitlab.add(f"{MARKER}\nforged", "mallory")
        statuses = [penstock("comment", report, gitlab.merge_request)[0] for _ in range(2)]

        assert statuses == [0, 0]
        assert gitlab.bodies() == [f"{MARKER}\nforged", f"{MARKER}\n## first\n"]
        notes = "/api/v4/projects/acme%2Fplatform%2Finfra/merge_requests/7/notes"
        assert [f"POST {notes}", f"PUT {notes}/2"] == [asked for asked in gitlab.asked if not asked.startswith("GET")]


def test_a_report_that_is_too_long_is_cut_at_a_line_and_says_so(penstock: Run, host: CodeHost, report: Path) -> None:
    report.write_text(f"{MARKER}\n" + "a line of the report\n" * 5000, encoding="utf-8")
    status, _, _ = penstock("comment", report, host.pull_request)

    (body,) = host.bodies()
    assert status == 0
    assert len(body) <= 65_536
    assert "a line of the report\n\nThe rest is left out" in body


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://github.com/acme/infra/pull/7", "must begin with https://"),
        ("https://github.com/acme/infra", "is neither a pull request of GitHub"),
        ("https://github.com/acme/infra/pull/7/files", "is neither a pull request of GitHub"),
        ("https://github.com/acme/../evil/pull/7", "is neither"),
        ("https://github.com/../evil/pull/7", "is neither"),
        ("https://127.0.0.1/acme/infra/pull/7", "the token is sent only to http://127.0.0.1:"),
        ("https://github.com/acme/infra/pull/7", "the token is sent only to http://127.0.0.1:"),
        ("https://gitlab.com/acme/infra/-/merge_requests/7", "the token is sent only to http://127.0.0.1:"),
        ("pull/7", "must begin with https://"),
        ("", "must begin with https://"),
    ],
)
def test_an_address_that_is_no_request_is_refused(
    penstock: Run, host: CodeHost, report: Path, url: str, expected: str
) -> None:
    status, out, err = penstock("comment", report, url)

    assert (status, out) == (2, "")
    assert expected in err
    assert host.asked == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"## no marker\n", "its first line must be a marker"),
        (b"", "its first line must be a marker"),
        (b"<!-- penstock review: a -->\n\xff\xfe", "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_no_report_is_refused(
    penstock: Run, host: CodeHost, report: Path, content: bytes | None, expected: str
) -> None:
    if content is None:
        report.unlink()
    else:
        report.write_bytes(content)
    status, _, err = penstock("comment", report, host.pull_request)

    assert status == 2
    assert expected in err
    assert host.asked == []


def test_without_a_token_nothing_is_asked(
    penstock: Run, host: CodeHost, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    status, _, err = penstock("comment", report, host.pull_request)

    assert status == 2
    assert "GITHUB_TOKEN must hold a token" in err
    assert host.asked == []


def test_a_refusal_is_one_line_without_the_token(
    penstock: Run, host: CodeHost, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_wrong")
    status, out, err = penstock("comment", report, host.pull_request)

    assert (status, out) == (2, "")
    assert "refused GET with status 401: the token is not valid, or has expired" in err
    assert "ghp_wrong" not in err


def test_a_redirect_is_not_followed_with_the_token(
    penstock: Run, host: CodeHost, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def moved(*_: Any) -> tuple[int, Any]:
        return 302, {}

    monkeypatch.setattr(host, "answer", moved)
    status, _, err = penstock("comment", report, host.pull_request)

    assert status == 2
    assert "refused GET with status 302" in err


def test_a_host_that_is_away_is_named(penstock: Run, report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv("GITHUB_SERVER_URL", "http://127.0.0.1:1")
    status, _, err = penstock("comment", report, "http://127.0.0.1:1/acme/infra/pull/7")

    assert status == 2
    assert "127.0.0.1:1 cannot be reached" in err


@pytest.fixture
def no_server(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No CI system that names its server."""
    for variable in ("GITHUB_SERVER_URL", "CI_SERVER_URL"):
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    ("url", "server", "api"),
    [
        ("https://github.com/acme/infra/pull/7", "", "https://api.github.com"),
        ("https://acme.ghe.com/acme/infra/pull/7", "https://acme.ghe.com", "https://api.acme.ghe.com"),
        ("https://git.acme.example/acme/infra/pull/7/", "https://git.acme.example/", "https://git.acme.example/api/v3"),
        ("https://gitlab.com/acme/infra/-/merge_requests/7", "", "https://gitlab.com/api/v4"),
        (
            "https://lab.acme.example/a/b/-/merge_requests/7",
            "https://lab.acme.example",
            "https://lab.acme.example/api/v4",
        ),
    ],
)
def test_each_host_has_its_api(no_server: pytest.MonkeyPatch, url: str, server: str, api: str) -> None:
    no_server.setenv("CI_SERVER_URL" if "/-/" in url else "GITHUB_SERVER_URL", server)

    assert discussion_at(url).api == api


@pytest.mark.parametrize(
    ("url", "variable"),
    [
        ("https://evil.example/acme/infra/pull/7", "GITHUB_SERVER_URL"),
        ("https://github.com@evil.example/acme/infra/pull/7", "GITHUB_SERVER_URL"),
        ("https://github.com:8443/acme/infra/pull/7", "GITHUB_SERVER_URL"),
        ("https://github.com.evil.example/acme/infra/pull/7", "GITHUB_SERVER_URL"),
        ("http://127.0.0.1:8765/acme/infra/pull/7", "GITHUB_SERVER_URL"),
        ("https://github.com/acme/infra/-/merge_requests/7", "CI_SERVER_URL"),
    ],
)
@pytest.mark.usefixtures("no_server")
def test_a_token_goes_only_to_the_server_of_the_ci_system(url: str, variable: str) -> None:
    with pytest.raises(CannotComment, match=f"the token is sent only to .*: set {variable}="):
        discussion_at(url)


def test_a_token_is_never_sent_without_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_SERVER_URL", "http://git.acme.example")
    with pytest.raises(CannotComment, match="because a token is sent there"):
        discussion_at("http://git.acme.example/acme/infra/pull/7")
