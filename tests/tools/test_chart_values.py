"""The keys that a chart reads are those of its values, its schema and its templates, and of the charts inside it."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from tools.chart_files import chart_in
from tools.chart_values import data_set, keys_of

from penstock.catalog.tables import path_of
from penstock.kubernetes.facts import charts
from penstock.kubernetes.facts.chart_values import ROOT, ValueKeys, table_of, written, written_root


def keys(tmp_path: Path, files: Mapping[str, str]) -> ValueKeys:
    """The keys of a chart of these files."""
    for path, text in {"Chart.yaml": "name: it", **files}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return keys_of(chart_in(tmp_path))


def below(tmp_path: Path, **files: str) -> dict[str, str]:
    """The rows of a chart with these values, schema and template."""
    names = {"values": "values.yaml", "schema": "values.schema.json", "template": "templates/it.yaml"}
    found = keys(tmp_path, {names[name]: text for name, text in files.items()})
    root = {ROOT: text} if (text := written_root(found.root, found.names)) else {}
    return root | {name: written("", key) for name, key in found.root.below.items()}


def test_keys_of_the_values_are_read(tmp_path: Path) -> None:
    assert below(tmp_path, values="image: {tag: '1', repository: a}\nreplicas: 1\nextra: {}\nlist: [{a: 1}]") == {
        "image": "{repository tag}",
        "replicas": "",
        "extra": "*",
        "list": "",
    }


def test_keys_that_only_templates_look_up_are_read(tmp_path: Path) -> None:
    template = """
    {{- if .Values.tls.enabled }}{{ $.Values.tls.secret }}{{ end }}
    {{ index .Values "image" "digest" }} {{ dig "quota" "cpu" 1 .Values.limits }} {{ ((.Values.a).b).c }}
    {{- /* .Values.never.read */ -}} {{`{{ .Values.written.as.it.is }}`}}
    {{ if hasKey .Values.limits "gpu" }}x{{ end }}"""

    assert below(tmp_path, values="limits: {memory: 1}", template=template) == {
        "limits": "{gpu memory quota{cpu}}",
        "tls": "{enabled secret}",
        "image": "{digest}",
        "a": "{b{c}}",
    }


@pytest.mark.parametrize(
    "template",
    [
        "{{ toYaml .Values.it | nindent 2 }}",
        "{{ with .Values.it }}{{ toYaml . }}{{ end }}",
        "{{ with .Values.it }}{{ . | toYaml | nindent 2 }}{{ end }}",
        "{{ range $name, $value := .Values.it }}{{ $name }}{{ end }}",
        '{{ range $name, $value := index .Values "it" }}{{ $name }}{{ end }}',
        "{{ $all := .Values.it }}{{ $all | toJson }}",
        '{{ define "all" }}{{ toYaml . }}{{ end }}{{ include "all" .Values.it }}',
        '{{ define "all" }}{{ tpl (toYaml .value) .context }}{{ end }}{{ include "all" (dict "value" .Values.it) }}',
        '{{ include "of.another.chart" .Values.it }}',
    ],
)
def test_a_value_that_is_written_out_takes_any_key(template: str, tmp_path: Path) -> None:
    assert below(tmp_path, values="it: {a: 1}", template=template)["it"] == "*"


@pytest.mark.parametrize(
    "template",
    [
        "{{ with .Values.it }}{{ .b }}{{ with .c }}{{ toYaml . }}{{ end }}{{ end }}",
        "{{ $it := .Values.it }}{{ $it.b }}{{ toYaml $it.c }}",
        '{{ define "parts" }}{{ .b }} {{ toYaml .c }}{{ end }}{{ include "parts" .Values.it }}',
        '{{ define "parts" }}{{ .it.b }}{{ tpl .it.c . }}{{ end }}{{ include "parts" (dict "it" .Values.it) }}',
    ],
)
def test_a_value_that_is_passed_on_takes_what_templates_look_up(template: str, tmp_path: Path) -> None:
    found = below(tmp_path, values="it: {a: 1}\nother: {a: 1}", template=template)

    assert (found["it"], found["other"]) == ("~{a}", "{a}")
    assert {"b", "c"} <= set(found[ROOT].split())


def test_maps_of_kubernetes_take_any_key(tmp_path: Path) -> None:
    assert below(
        tmp_path, values="server: {nodeSelector: {pool: a}, podAnnotations: {a: b}, resources: {limits: {}}}"
    ) == {"server": "{nodeSelector* podAnnotations* resources*}"}


def test_a_schema_tells_types_and_closes_what_it_lists(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "$defs": {
            "image": {"type": "object", "additionalProperties": False, "properties": {"tag": {"type": "string"}}}
        },
        "properties": {
            "image": {"$ref": "#/$defs/image"},
            "replicas": {"type": ["integer", "null"]},
            "labels": {"type": "object", "additionalProperties": False, "patternProperties": {".*": {}}},
            "open": {"type": "object", "properties": {"a": {"type": "boolean"}}},
        },
    }

    assert below(
        tmp_path, values="image: {tag: a}\nopen: {b: 1}\nreplicas: 1\nlabels: {}", schema=json.dumps(schema)
    ) == {
        "image": ":object!{tag:string}",
        "replicas": ":integer|null",
        "labels": ":object*",
        "open": ":object{a:boolean b}",
    }


def test_charts_inside_are_read_by_their_alias_their_condition_and_global_values(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in {"Chart.yaml": "name: nfd", "values.yaml": "worker: {enable: true}"}.items():
            member = tarfile.TarInfo(f"nfd/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    (tmp_path / "charts").mkdir()
    (tmp_path / "charts" / "nfd-1.0.0.tgz").write_bytes(packed.getvalue())
    found = keys(
        tmp_path,
        {
            "Chart.yaml": "name: it\ndependencies: [{name: nfd, alias: features, condition: gfd.enabled}"
            ", {name: db}, {name: x}]",
            "charts/db/Chart.yaml": "name: db",
            "charts/db/values.yaml": "size: 1\nglobal: {registry: a}",
            "values.yaml": "x: {enabled: false}",
        },
    )

    assert {name: written("", key) for name, key in found.root.below.items()} == {
        "gfd": "{enabled}",
        "features": "{worker{enable}}",
        "db": "{global{registry} size}",
        "global": "{registry}",
        "x": "*",
    }


def test_only_a_chart_at_its_pinned_version_is_written_anew(tmp_path: Path) -> None:
    kueue, lws = charts.find_chart("kueue"), charts.find_chart("lws")
    for name, version in (("kueue", kueue.version), ("lws", "0.0.1")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Chart.yaml").write_text(f"name: {name}\nversion: {version}")
        (tmp_path / name / "values.yaml").write_text("replicas: 1")

    found = data_set(tmp_path)

    assert found.wanted == {path_of(table_of(kueue)): "key,below\nreplicas,\n"}
    assert path_of(table_of(lws)) not in found.shipped
