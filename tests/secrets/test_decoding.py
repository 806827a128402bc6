"""What is encoded is read, as deep as anybody encodes, and no text costs more than its length."""

from __future__ import annotations

import base64
import gzip
import html
import json
import zlib
from collections.abc import Callable
from itertools import pairwise, product
from urllib.parse import quote

import pytest

from penstock.secrets.decoding import unwrapped, without_wrapped
from penstock.secrets.detection import found_in, without_secrets

SECRET = "c4naRyVq8zT2mWx7"
SCRIPT = f"export DB_PASSWORD={SECRET}\n"


def code(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


WRAPPINGS: dict[str, Callable[[str], str]] = {
    "base64": code,
    "base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "base64 in lines": lambda text: base64.encodebytes((text * 9).encode()).decode(),
    "gzip": lambda text: base64.b64encode(gzip.compress(text.encode())).decode(),
    "zlib": lambda text: base64.b64encode(zlib.compress(text.encode())).decode(),
    "PowerShell": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "URL": lambda text: quote(text, safe=""),
    "JSON": lambda text: json.dumps({"a": text}),
    "XML": lambda text: html.escape(f'<a b="{text}"/>'),
    "a script": lambda text: f"#!/bin/sh\necho '{code(text)}' | base64 -d > /etc/x\n",
    "a file of cloud-init": lambda text: f"write_files:\n- encoding: b64\n  content: {code(text)}\n",
}


@pytest.mark.parametrize(("outer", "inner"), list(product(WRAPPINGS, repeat=2)))
def test_a_secret_is_found_and_hidden_within_two_wrappings(outer: str, inner: str) -> None:
    text = WRAPPINGS[outer](WRAPPINGS[inner](SCRIPT))

    shown = without_secrets(text)

    assert list(found_in(text))
    assert all(SECRET not in each for each in (shown, *unwrapped(shown)))


@pytest.mark.parametrize("name", WRAPPINGS)
def test_what_holds_no_secret_stays(name: str) -> None:
    text = WRAPPINGS[name]("echo hello, all of you\nexport REGION=us-east-1\n")

    assert list(found_in(text)) == []
    assert without_secrets(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "arn:aws:iam::123456789012:role/platform-train-nodes",
        "sha256:" + "0f" * 32,
        "projects/my-project/locations/us-central1/clusters/train-cluster",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3v8R2QmV0Yl1hR1w0nT7c5k3y6Q2u8d4a1b9e0f7Z me@host",
        "https://example.com/a%20b?next=%2Fhome",
        r"C:\users\new\test",
    ],
)
def test_ordinary_texts_stay(text: str) -> None:
    assert without_secrets(text) == text


def test_only_the_part_that_encodes_a_secret_is_hidden() -> None:
    text = f"user {code(SCRIPT)} of {code('nobody at all knows')}"

    assert without_wrapped(text, lambda inner: SECRET in inner, "-") == f"user - of {code('nobody at all knows')}"


def test_a_depth_that_nobody_needs_is_not_read() -> None:
    text = SCRIPT
    for _ in range(30):
        text = quote(text, safe="")

    assert len(list(unwrapped(text))) < 30


def test_what_unpacks_without_end_is_read_as_far_as_its_length_allows() -> None:
    bomb = base64.b64encode(gzip.compress(b"a" * 50_000_000)).decode()

    assert sum(map(len, unwrapped(" ".join([bomb] * 3)))) <= 4_000_000


@pytest.mark.parametrize("line", ["password: a b c\n", '\\"a\n', "a%41 ", "<password>", "A" * 76 + "\n", "password:"])
def test_what_is_unpacked_grows_with_the_text_alone(line: str) -> None:
    sizes = [sum(map(len, unwrapped(line * times))) for times in (500, 1000, 2000)]

    assert all(after <= 2 * before + len(line) * 10 for before, after in pairwise(sizes))


FILES = {
    "YAML": "db:\n  host: db.internal\n  password: {}\n",
    "YAML in quotes": 'db: {{host: db.internal, password: "{}"}}\n',
    "INI": "[db]\nhost = db.internal\npassword = {}\n",
    "TOML": '[db]\nhost = "db.internal"\npassword = "{}"\n',
    "dotenv": "HOST=db.internal\nDB_PASSWORD='{}'\n",
    "properties": "spring.datasource.url=jdbc:x\nspring.datasource.password={}\n",
    "JSON": '{{"host": "db.internal", "password": "{}"}}',
    "XML": "<db><host>db.internal</host><password>{}</password></db>",
    "XML of .NET": '<add key="host" value="db.internal"/><add key="DbPassword" value="{}"/>',
}


@pytest.mark.parametrize(("form", "password"), list(product(FILES, ("winter", "p@ss:w0rd!", SECRET))))
def test_a_password_of_a_configuration_file_is_found_and_hidden(form: str, password: str) -> None:
    text = FILES[form].format(password)

    assert any(found_in(text))
    assert password not in without_secrets(text)
    assert "db.internal" in without_secrets(text) or "jdbc:x" in without_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "passwd: files sss\ngroup: files\n",
        "password: string\nrequired: true\n",
        "Password: see the vault of the team\n",
        "env:\n  secrets-manager:\n    DB_PASSWORD: prod-db:password\n  variables:\n    MODE: fast\n",
        '{"env": {"parameter-store": {"DB_PASSWORD": "prod-db-password"}}}',
        "password: ${DB_PASSWORD}\n",
        "The password: it is asked for at the start.\n",
        "lock_passwd: true\nssh_pwauth: false\n",
    ],
)
def test_what_only_names_a_password_is_none(text: str) -> None:
    assert list(found_in(text)) == []
