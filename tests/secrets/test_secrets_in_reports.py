"""No report and no message shows a secret: in no format, in no other form, from wherever it comes."""

from __future__ import annotations

import base64
import gzip
import html
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pulumi
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from pulumi_aws import ebs, ec2, lambda_, rds
from pulumi_kubernetes.core.v1 import Pod

from penstock.app.assess import overview_of
from penstock.core.errors import ProgramFailed
from penstock.report import html as report_html
from penstock.report import json as report_json
from penstock.report import junit, markdown, sarif
from penstock.report.redacted import redacted
from penstock.secrets.redaction import Redaction
from penstock.simulate.run import rehearse

Run = Callable[..., tuple[int, str, str]]
FORMATS = ("text", "json", "sarif", "junit", "markdown", "html")
CANARY = "c4naRy-Vq8zT2mWx7"
TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "upper case": str.upper,
    "lower case": str.lower,
    "repr": repr,
    "JSON": json.dumps,
    "XML": html.escape,
    "URL": lambda text: quote(text, safe=""),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "basic auth": lambda text: base64.b64encode(f"user:{text}".encode()).decode(),
    "URL-safe base64": lambda text: base64.urlsafe_b64encode(f"u:{text}!".encode()).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "base64 of base64": lambda text: coded(coded(text)),
    "compressed": lambda text: base64.b64encode(gzip.compress(f"x {text}".encode())).decode(),
    "base64 in a URL": lambda text: quote(f"{coded(text)}=", safe=""),
    "JSON in JSON": lambda text: json.dumps(json.dumps({"a": text})),
    "escaped letters": lambda text: "".join(f"\\u{ord(each):04x}" for each in text),
    "a list of characters": lambda text: repr(list(text)),
    "a list of bytes": lambda text: repr(list(text.encode())),
    "spelled": " ".join,
    "spelled with hyphens": "-".join,
    "spelled with dots and spaces": " . ".join,
    "one character a line": "\n".join,
    "bytes with colons": lambda text: ":".join(map(str, text.encode())),
    "a part": lambda text: text[2:-1],
    "a key": lambda text: str(KeyError(text)),
}
LINES = st.text("abcXYZ0189\\'\"\n\t <>&%é/+=:@", min_size=6, max_size=24)
SECRETS = st.builds("{}{}{}".format, LINES, st.from_regex(r"[a-z][0-9][A-Z][0-9]{2}[a-zA-Z]{3}", fullmatch=True), LINES)


def traces(secret: str, text: str) -> list[str]:
    """The forms of a secret that a text shows."""
    return [form for form, write in FORMS.items() if write(secret).strip("'\"").casefold() in text.casefold()]


@given(SECRETS, st.sampled_from(list(FORMS.values())), st.sampled_from(["a {} b", "{}", "at x={};y", "'{}'"]))
def test_no_form_of_a_secret_is_in_a_message(secret: str, form: Callable[[str], str], message: str) -> None:
    redaction = Redaction({}, ())
    redaction.learn_value({"nested": [secret]})

    assert traces(secret, redaction.of(message.format(form(secret)))) == []


@given(SECRETS, st.sampled_from(list(FORMS.values())))
@example("a0A00b'1c\"000'", FORMS["a list of characters"])
def test_no_form_of_a_secret_is_in_a_report(secret: str, form: Callable[[str], str]) -> None:
    assume(form.__name__ != "<lambda>" or form(secret) != secret[2:-1])  # parts of secrets are in reports by chance
    shown = form(secret)

    def program() -> None:
        pulumi.export("sealed", pulumi.Output.secret(secret))
        volume = ebs.Volume("v", availability_zone="us-east-1a", size=1, tags={"note": shown, shown: "x"})
        pulumi.export(shown, volume.id)
        pulumi.export("plain", shown)
        ec2.Vpc(f"vpc {shown}", cidr_block=shown)

    rehearsal = rehearse(program)
    whole = redacted(overview_of(rehearsal, environment="dev", cloud=None))
    for render in (report_json.render, sarif.render, junit.render, markdown.render, report_html.render):
        text = render(whole)
        assert traces(secret, text) == []
    json.loads(report_json.render(whole))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (12345678, "port 12345678 is taken"),
        ({"user": "bob", "c4naRyKey88": 1}, "KeyError: 'c4naRyKey88'"),
        ("postgres://bob:c4naRy88@db/x", "invalid literal for int() with base 10: 'c4naRy88@db/x'"),
        ("-----\nc4naRyLine88\n", "bad line: c4naRyLine88"),
    ],
)
def test_numbers_keys_and_parts_are_hidden_in_messages(value: object, message: str) -> None:
    redaction = Redaction({}, ())
    redaction.learn_value(value)

    said = redaction.of(message)

    assert "c4naRy" not in said
    assert "12345678" not in said


@pytest.mark.parametrize(
    "message",
    [
        "the region is us-east-1, and the user admin of postgres is not the default",
        "KeyError: 'password'",
        "port 5432 of 10.0.0.0/16",
        "true is not false",
    ],
)
def test_common_words_stay(message: str) -> None:
    redaction = Redaction({}, ())
    redaction.learn_value({"password": "true", "user": "admin", "n": 54, "db": "postgres", "on": True})

    assert redaction.of(message) == message


def test_a_region_among_secrets_does_not_empty_a_report() -> None:
    redaction = Redaction({}, ())
    redaction.learn_value({"region": "us-east-1", "account": "123456789012", "role": "arn:aws:iam::1:role/x"})

    assert redaction.for_reports() is None


def test_a_resource_made_within_apply_of_a_secret_shows_it_nowhere() -> None:
    def program() -> None:
        pulumi.Output.secret(CANARY).apply(lambda value: ec2.Vpc("v", cidr_block=[value]))  # type: ignore[call-overload]

    try:
        rehearsal = rehearse(program)
    except ProgramFailed as failed:
        said = str(failed)
    else:
        said = report_json.render(redacted(overview_of(rehearsal, environment="dev", cloud=None)))

    assert CANARY not in said


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "say",
    [
        pulumi.log.warn,
        print,
        lambda value: sys.stderr.write(repr(value)),
        lambda value: __import__("logging").getLogger("x").error("no %s", value),
        lambda value: __import__("warnings").warn(f"no {value}", stacklevel=1),
    ],
)
def test_what_a_program_says_of_a_secret_that_only_it_knows_is_hidden(
    say: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    rehearse(lambda: pulumi.Output.secret(CANARY).apply(say))

    printed = capsys.readouterr()
    assert CANARY not in printed.out + printed.err


def test_a_traceback_of_a_thread_shows_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(value: str) -> None:
        raise ValueError(value)

    def program() -> None:
        from threading import Thread

        def run(value: str) -> None:
            thread = Thread(target=fail, args=(value,))
            thread.start()
            thread.join()

        pulumi.Output.secret(CANARY).apply(run)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("threading.excepthook", sys.modules["threading"].__excepthook__)
        rehearse(program)

    assert CANARY not in capsys.readouterr().err


def test_the_cause_of_a_failure_shows_no_secret_in_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(
        "import pulumi\nfrom penstock.testing import rehearse\n"
        "def fail(value):\n    raise ValueError(value)\n"
        f"def test_it(monkeypatch):\n    value = {CANARY[:6]!r} + {CANARY[6:]!r}\n"
        "    rehearse(lambda: pulumi.Output.secret(value).apply(fail))\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]

    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    assert "the program failed: ValueError: [secret]" in done.stdout
    assert CANARY not in done.stdout


def test_a_failure_without_secrets_keeps_its_cause() -> None:
    def program() -> None:
        raise ValueError("no colour")

    with pytest.raises(ProgramFailed) as failed:
        rehearse(program)

    assert isinstance(failed.value.__cause__, ValueError)


@pytest.mark.parametrize(
    "raised", ["os.environ['DB_PASSWORD']", "pulumi.Config().require('dbPassword')", "'password=' + pieces"]
)
def test_variables_and_configuration_that_name_a_credential_are_hidden(
    penstock: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: str
) -> None:
    monkeypatch.setenv("DB_PASSWORD", CANARY)
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text(f"config:\n  p:dbPassword: {CANARY}\n")
    (tmp_path / "__main__.py").write_text(
        f"import os, pulumi\npieces = {CANARY[:5]!r} + {CANARY[5:]!r}\nraise ValueError({raised})\n"
    )

    for form in FORMATS:
        status, out, err = penstock("check", tmp_path, "--stack", "dev", "--format", form)

        assert status == 2
        assert CANARY not in out + err


def test_an_alias_that_may_be_a_secret_is_not_repeated(penstock: Run, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("")
    (tmp_path / "Pulumi.dev.yaml").write_text(f"config:\n  p:token: *{CANARY}\n")

    status, out, err = penstock("check", tmp_path, "--stack", "dev")

    assert status == 2
    assert CANARY not in out + err
    assert "in quotes" in err


UNMARKED = """
import json
from pulumi_aws import ecs, lambda_, rds
from pulumi_kubernetes.core.v1 import Pod

lambda_.Function('f', role='arn:aws:iam::123456789012:role/x', environment={
    'variables': {'DB_PASSWORD': 'PASSWORD', 'NOTE': 'TOKEN', 'DSN': 'postgres://me:PASSWORD@db/x', 'MODE': 'fast'}})
rds.Instance('db', instance_class='db.t3.medium', password='PASSWORD', allocated_storage=20)
ecs.TaskDefinition('t', family='t', container_definitions=json.dumps(
    [{'name': 'c', 'environment': [{'name': 'API_TOKEN', 'value': 'PASSWORD'}]}]))
Pod('p', spec={'containers': [{
    'name': 'c', 'image': 'c', 'args': ['--password=PASSWORD'],
    'env': [{'name': 'DB_PASSWORD', 'value': 'PASSWORD'}]}]})
"""


@pytest.mark.parametrize("form", FORMATS)
def test_credentials_that_nobody_marked_are_in_no_report(penstock: Run, tmp_path: Path, form: str) -> None:
    first = (
        UNMARKED.replace("PASSWORD'", f"{CANARY}'").replace("PASSWORD@", f"{CANARY}@").replace("'TOKEN'", f"'{TOKEN}'")
    )
    first = first.replace(f"DB_{CANARY}", "DB_PASSWORD")
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(first)
    _, rehearsed, _ = penstock("rehearse", tmp_path, "--stack", "dev", "--format", form)
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "__main__.py").write_text(
        first.replace(CANARY, CANARY[::-1]).replace(TOKEN, TOKEN[:-1]).replace("fast", "slow")
    )

    _, changed, err = penstock("diff", tmp_path, "--stack", "dev", "--base", "HEAD", "--format", form)

    for text in (rehearsed, changed, err):
        assert CANARY not in text
        assert CANARY[::-1] not in text
        assert TOKEN[:-1] not in text
    if form not in ("sarif", "junit"):
        assert "DB_PASSWORD" in changed.replace("\\_", "_")
        assert "slow" in changed


def test_a_function_of_a_project_is_reported_as_it_is_without_its_secret() -> None:
    def program() -> None:
        lambda_.Function("f", role="arn:aws:iam::123456789012:role/x", environment={"variables": {"API_KEY": CANARY}})

    whole = overview_of(rehearse(program), environment="dev", cloud=None)
    document = json.loads(report_json.render(redacted(whole)))

    (function,) = (each for each in document["resources"] if each["name"] == "f")
    assert function["inputs"]["environment"]["variables"] == {"API_KEY": "[secret]"}
    assert function["inputs"]["role"] == "arn:aws:iam::123456789012:role/x"


WORDS = (
    "correcthorsebattery letmeinplease dragon trustno1 swordfish deadbeefcafe purple_elephant_9 my-db-pass "
    "gitdiffsecret77"
)


@pytest.mark.parametrize("word", WORDS.split())
def test_a_marked_word_is_in_no_report(word: str) -> None:
    def program() -> None:
        pulumi.export("a", pulumi.Output.secret(word))
        ec2.Vpc(word, cidr_block="10.0.0.0/8", tags={"x": word})

    whole = redacted(overview_of(rehearse(program), environment="dev", cloud=None))

    for render in (report_json.render, sarif.render, junit.render, markdown.render, report_html.render):
        assert word not in render(whole)


def test_marked_words_that_reports_need_stay_in_them() -> None:
    redaction = Redaction({}, ())
    for word in ("us-east-1", "us-central1-a", "postgres", "admin", "true", "default", "123", "aurora-postgresql"):
        redaction.learn_value(word)

    assert redaction.for_reports() is None


def test_a_credential_that_nobody_marked_is_hidden_in_other_properties_too() -> None:
    def program() -> None:
        rds.Instance("db", instance_class="db.t3.medium", password="oldStatePw99", allocated_storage=20)
        ec2.Vpc("v", cidr_block="10.0.0.0/8", tags={"x": "db.oldStatePw99"})

    whole = redacted(overview_of(rehearse(program), environment="dev", cloud=None))

    assert "oldStatePw99" not in report_json.render(whole)


def test_a_secret_in_pieces_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def say(value: str) -> None:
        for character in value:
            print(character, end="")  # noqa: T201
        print()  # noqa: T201
        sys.stderr.write(value[:8])
        sys.stderr.write(value[8:])

    rehearse(lambda: pulumi.Output.secret(CANARY).apply(say))

    printed = capsys.readouterr()
    assert CANARY not in printed.out + printed.err


def test_the_value_of_a_flag_in_a_list_of_arguments_is_hidden() -> None:
    def program() -> None:
        Pod("p", spec={"containers": [{"name": "c", "image": "c", "args": ["--db-password", "swordfish", "--v", "2"]}]})
        ec2.Vpc("v", cidr_block="10.0.0.0/8", tags={"x": '["run", "--token", "a8f3k2j1z9x7c5v3"]'})

    text = report_json.render(redacted(overview_of(rehearse(program), environment="dev", cloud=None)))

    assert "swordfish" not in text
    assert "a8f3k2j1z9x7c5v3" not in text
