"""Secrets in clear are found by form and by name, and nothing that a program needs is taken for one."""

from __future__ import annotations

import base64
import random
import re
import string
import time

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.description.test_secrets import SECRETS

from penstock.secrets import detection, forms

# Put together here, so that no scanner takes this file for a leak.
HEX = "0123456789abcdef"
BASE62 = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
MORE = {
    "an Azure storage key": "AccountKey=" + base64.b64encode(bytes(range(64))).decode(),
    "an Azure shared access key": "SharedAccessKey=" + base64.b64encode(bytes(range(32))).decode(),
    "an Azure shared access signature": "?sv=2024-11-04&sr=b&sp=r&sig=" + "a1B2%2Fc3D4e5%2BF6" * 3 + "g%3D",
    "an npm token": "npm_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "a Docker Hub token": "dckr_pat_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N",
    "a Vault token": "hvs." + "CAESIa1B2c3D4e5F6g7H8i9J0k1L2",
    "a Pulumi access token": "pul-" + "0123456789abcdef" * 2 + "01234567",
    "a Databricks token": "dapi" + "0123456789abcdef" * 2,
    "a Weights & Biases API key": "wandb login --relogin " + "0123456789abcdef" * 2 + "01234567",
    "a credential of a header": "curl -H 'Authorization: Bearer " + "a8f3k2j1z9x7c5v3q1'",
    "a password of Redis": "port 6379\nrequirepass " + "hunter2",
    "a password of a .pgpass file": "db.internal:5432:*:bob:" + "hunter2",
    "a password of a netrc file": "machine api.wandb.ai\n  login user\n  password " + "hunter2hunter2",
    "a password of a login": "docker login registry.example -u me -p " + "hunter2hunter2",
    "a password of curl": "curl -fsS -u me:" + "hunter2 https://example.com/weights",
    "a Google API key": "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
    "a SendGrid key": "SG." + "a1B2c3D4e5F6g7H8i9J0k1." + "l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A7b8C9d0E1f2g",
    "a DigitalOcean token": "dop_v1_" + HEX * 4,
    "a Telegram bot token": "110201543:AA" + "HdqTcvCH1vGWJxfSeofSAs0K5PALDsawa",
    "a Twilio key": "SK" + HEX * 2,
    "a Mailgun key": "key-" + HEX * 2,
    "a Shopify token": "shpat_" + HEX * 2,
    "a Discord webhook": "https://discord.com/api/webhooks/" + "123456789012345678/" + BASE62 * 2,
    "a Grafana token": "glsa_" + BASE62[:32] + "_8eeb7cc9",
    "a Terraform Cloud token": "a1B2c3D4e5F6g7." + "atlasv1." + BASE62 * 2,
    "a Groq key": "gsk_" + BASE62 * 2,
    "a Replicate token": "r8_" + BASE62 + "q",
    "a W&B key since 2025": "wandb_v1_" + BASE62 * 2,
    "a LangSmith key": "lsv2_pt_" + HEX * 2 + "_0123456789",
    "a Linear key": "lin_api_" + BASE62,
    "a Notion token": "ntn_" + BASE62 * 2,
    "an older Notion token": "secret_" + BASE62 + "a1B2c3D",
    "a New Relic key": "NRAK-" + "A1B2C3D4E5F6G7H8I9J0K1L2M3N",
    "a Figma token": "figd_" + BASE62 * 2,
    "an Airtable token": "pat" + "a1B2c3D4e5F6g7." + HEX * 4,
    "a RubyGems key": "rubygems_" + HEX * 3,
    "a crates.io token": "cio" + BASE62[:32],
    "a Google OAuth secret": "GOCSPX-" + BASE62[:28],
    "a Google access token": "ya29." + BASE62,
    "a GitLab deploy token": "gldt-" + BASE62[:20],
    "an organization's Hugging Face token": "api_org_" + BASE62[:34],
    "a Slack app token": "xapp-1-A0123456789-" + "0123456789012-" + HEX * 4,
    "a container's AWS key": "ABIA" + "A1B2C3D4E5F6G7H8",
    "an Amazon Bedrock API key": "ABSK" + BASE62 * 4,
    "a client secret of Entra ID": "a1B8Q~" + BASE62[:34],
    "an xAI key": "xai-" + BASE62 * 2 + "a1B2c3D4",
    "a Perplexity key": "pplx-" + BASE62 + "a1B2c3D4e5F6",
    "a Langfuse key": "sk-lf-" + "01234567-0123-0123-0123-0123456789ab",
    "a password of a database client": "mysql -u root -p" + "hunter2",
    "an age key": "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" + "QPZRY9X8GF2TVDW0S3JN54KHCE",
    "a short OpenAI key": "sk-proj-" + "a1b2c3d4e5f6",
    "a short Anthropic key": "sk-ant-api03-" + "a1b2c3d4e5",
    "a password among the parameters of an address": "jdbc:postgresql://db:5432/x?user=me&password=" + "hunter2",
}
EVERY_FORM = {**SECRETS, **MORE}
ALPHABETS = {"hexadecimal": "0123456789abcdef", "base62": string.ascii_letters + string.digits}


@pytest.mark.parametrize("secret", EVERY_FORM.values(), ids=EVERY_FORM)
@pytest.mark.parametrize("name", ["NOTE", "HF_TOKEN"])
def test_a_secret_of_a_known_form_is_found_under_any_name(name: str, secret: str) -> None:
    assert detection.looks_secret(name, secret)


@pytest.mark.parametrize("secret", EVERY_FORM.values(), ids=EVERY_FORM)
def test_a_secret_is_found_within_a_script_and_never_reported(secret: str) -> None:
    found = list(detection.found_in(f"#!/bin/bash\necho start\ncurl -H 'x: {secret}' example.com\n"))

    assert found
    assert not any(
        line in reported for reported in found for line in secret.splitlines() if len(line) > len("-----BEGIN")
    )


def test_every_form_has_an_example() -> None:
    reported = {detection.kind_of_secret_in(secret) for secret in EVERY_FORM.values()}

    assert {each.kind for each in forms.forms()} <= reported


@pytest.mark.parametrize("form", [each for each in forms.forms() if each.marks], ids=lambda each: each.kind)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_whatever_matches_a_form_has_one_of_its_marks(form: forms.SecretForm, data: st.DataObject) -> None:
    secret = data.draw(st.from_regex(form.form))

    assert form in forms.possible(secret)


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
@given(seed=st.integers(0, 10_000))
def test_what_is_random_is_found_under_a_telling_name_only(alphabet: str, seed: int) -> None:
    value = "".join(random.Random(seed).choices(alphabet, k=39))

    assume(re.search(r"[A-Za-z]\d+[A-Za-z]", value))
    assert detection.looks_secret("WANDB_API_KEY", value)
    assert not detection.looks_secret("COMMIT", value)


@given(st.lists(st.sampled_from(["train", "registry", "pull", "prod", "eu", "2048", "v2"]), min_size=1).map("-".join))
def test_words_are_no_secrets_under_a_name_of_tokens(value: str) -> None:
    assert not detection.looks_secret("IMAGE_PULL_SECRET", value)


@given(st.text())
def test_any_text_can_be_searched(text: str) -> None:
    list(detection.found_in(text))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DB_PASSWORD", "hunter2"),
        ("db-password", "correct horse"),
        ("MASTER_PASSPHRASE", "a"),
        ("DB_PASSWORD", "pa$$word"),
        ("apiToken", "a8f3k2j1z9x7c5v3"),
        ("client_secret", "Zm9vYmFyMTIzNDU2Nzg5MA=="),
        ("DATABASE_URL", "postgres://me:hunter2hunter2@db.example/app"),
        ("Authorization", "Bearer a8f3k2j1z9x7c5v3"),
        ("pass", "hunter2"),
        ("pwd", "hunter2"),
        ("db_passwords", "hunter2"),
    ],
)
def test_a_value_under_a_telling_name_is_found(name: str, value: str) -> None:
    assert detection.looks_secret(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PAD_TOKEN", "<pad>"),
        ("EOS_TOKEN", "</s>"),
        ("MAX_TOKEN", "4096"),
        ("TOKENIZERS_PARALLELISM", "false"),
        ("IMAGE_PULL_SECRET", "registry-credentials"),
        ("DB_PASSWORD", ""),
        ("DB_PASSWORD", "$(DB_PASSWORD_FROM_STORE)"),
        ("DB_PASSWORD", "${DB_PASSWORD}"),
        ("DB_PASSWORD", "$password"),
        ("DB_PASSWORD", "{{ .Values.password }}"),
        ("DB_PASSWORD", "/run/secrets/database"),
        ("AWS_WEB_IDENTITY_TOKEN", "/var/run/secrets/eks.amazonaws.com/serviceaccount/token"),
        ("HF_TOKEN", "arn:aws:secretsmanager:us-east-1:123456789012:secret:hf-AbCdEf"),
        ("HF_TOKEN", "projects/example/secrets/hf/versions/1"),
        ("AUTH", "https://accounts.example.com/realms/a1b2c3d4e5"),
        ("DATABASE_URL", "postgres://me:$PASSWORD@db.example/app"),
        ("DATABASE_URL", "postgres://$user:$password@db.example/app"),
        ("Authorization", "Bearer $TOKEN"),
        ("IMAGE", "registry.example/trainer@sha256:" + "0123456789abcdef" * 4),
    ],
)
def test_what_only_resembles_a_secret_is_let_through(name: str, value: str) -> None:
    assert not detection.looks_secret(name, value)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("export DB_PASSWORD=hunter2", ["a value of DB_PASSWORD"]),
        ("mysql --password hunter22 -h db", ["a value of password"]),
        ("mysql --password=hunter22", ["a value of password"]),
        ('{"api_token": "a8f3k2j1z9x7c5v3"}', ["a value of api_token"]),
        ('{"api_token":"a8f3k2j1z9x7c5v3"}', ["a value of api_token"]),
        ("  api_token: a8f3k2j1z9x7c5v3", ["a value of api_token"]),
        ("passwd: files sss", []),
        ("export HF_TOKEN=$(cat /run/token)", []),
        ('curl -H "Authorization: Bearer $TOKEN"', []),
        ("docker login --password-stdin", []),
        ("docker login -u me -p hunter2 registry.example", ["a password of a login"]),
        ("az login --service-principal -u me -p 'hunter2~x' --tenant t", ["a password of a login"]),
        ('docker login -u me -p "$TOKEN" registry.example', []),
        ("docker login -u me -p ${TOKEN} registry.example", []),
        ("curl -sS -u me:hunter2 https://example.com", ["a password of curl"]),
        ('curl -u "me:$TOKEN" https://example.com', []),
        ("mysqldump -h db -u me -phunter2 models", ["a password of a database client"]),
        ('mysql -u me -p"$DB_PASSWORD" models', []),
        ("mysql -u me -p models", []),
        ("mysql --protocol tcp --port 3306", []),
        ("redis-cli -h cache -a hunter2 ping", ["a password of a database client"]),
        ("redis-cli -h cache --askpass ping", []),
        ("sshpass -p hunter2 ssh me@host", ["a password of a database client"]),
        ("sshpass -f /run/secrets/ssh ssh me@host", []),
        ("wandb login --host https://wandb.example.com " + "0123456789abcdef" * 3, ["a Weights & Biases API key"]),
        ("wandb login --relogin --host https://wandb.example.com", []),
        ("wandb login $WANDB_API_KEY", []),
        ("curl -H 'Authorization: Bearer a8f3k2j1z9x7c5v3q1' example.com", ["a credential of a header"]),
        ('curl -H "Authorization: Bearer $(gcloud auth print-identity-token)" example.com', []),
        ("curl -H 'Authorization: Bearer <your-token-2048>' example.com", []),
        ("machine api.wandb.ai login user password hunter2", ["a password of a netrc file"]),
        ("machine api.wandb.ai login user password $WANDB_API_KEY", []),
        ("*:*:training:me:hunter2", ["a password of a .pgpass file"]),
        ("db:5432:training:me:$PGPASSWORD", []),
        ("arn:aws:iam::123456789012:role/me", []),
        ("me:x:1000:1000:Me:/home/me:/bin/bash", []),
        ("masterauth hunter2", ["a password of Redis"]),
        ("requirepass ${REDIS_PASSWORD}", []),
        ("env:\n- name: DB_PASSWORD\n  value: hunter2", ["a value of DB_PASSWORD"]),
        ("env:\n- name: API_TOKEN\n  value: 'a8f3k2j1z9x7c5v3'", ["a value of API_TOKEN"]),
        ('[{"name":"DB_PASSWORD","value":"hunter2"}]', ["a value of DB_PASSWORD"]),
        ("env:\n- name: DB_PASSWORD\n  valueFrom: {secretKeyRef: {name: db, key: password}}", []),
        ("env:\n- name: DB_PASSWORD\n  value: $(DB_PASSWORD)", []),
        ("env:\n- name: MODEL\n  value: hunter2", []),
        ("psql --no-password --host db", []),
        ("spring.datasource.password=${DB_PASSWORD}", []),
        ("password=ENC(a8f3k2j1z9x7c5v3)", []),
        ("password = os.environ['DB_PASSWORD']", []),
        ("connect(user=user, password=db_password)", []),
        ("connect(user='me', password='hunter2')", ["a value of password"]),
        ("mount -o username=me,password=hunter2,uid=0", ["a value of password"]),
        ("TOKEN=`curl -X PUT http://169.254.169.254/latest/api/token`", []),
        ("ALLOW_EMPTY_PASSWORD=yes", []),
        ("B64_CLUSTER_CA=LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==", []),
    ],
)
def test_scripts_and_files_are_searched_line_by_line(line: str, found: list[str]) -> None:
    assert list(detection.found_in(f"#!/bin/bash\n{line}\n")) == found


@pytest.mark.parametrize(
    "piece",
    ["a=1\n", "A", "x ", "password ", "aB1/", "://a:", '"password": "', "--token ", "name: token\n", "curl -u "],
)
def test_a_long_text_takes_no_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    start = time.process_time()  # of this process, whatever else runs

    list(detection.found_in(text))

    assert time.process_time() - start < 5  # quadratic searches take minutes


def test_a_bundle_of_certificates_holds_no_secret() -> None:
    key = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789+/Ab"  # as an AWS secret access key looks
    bundle = f"-----BEGIN CERTIFICATE-----\n{'A' * 64}\n{key}\n-----END CERTIFICATE-----\n" * 3

    assert detection.kind_of_secret_in(key) is not None
    assert detection.kind_of_secret_in(bundle) is None
    assert detection.kind_of_secret_in(f"{bundle}{key}\n") is not None
