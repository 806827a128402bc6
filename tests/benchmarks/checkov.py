"""Puts our Kubernetes rules beside Checkov on the same manifests, and prints who is right how often.

The manifests are the cases of our rules that Checkov has a rule for, too, and the daemon sets of our own environments.
The truth is what a case says: Checkov runs through uv, in an environment of its own.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from tests.programs import IT, Ref
from tests.rules.cases import RuleCase, policy_cases
from tests.rules.verdicts import outcome, rules_by_id

from penstock.graph.values import Secret, Unknown

VERSION = "3.3.30"
CHECKOV = (
    str(Path(sys.executable).parent / "uv"),
    "tool",
    "run",
    "--quiet",
    "--from",
    f"checkov=={VERSION}",
    "checkov",
)
WANTED = {"fail": True, "pass": False, "exempt": False}
"""Whether a case of an outcome is to be complained of."""


WHY = {
    "cost-pod-gpu-limits": "Checkov wants a CPU limit, which throttles data loaders; it reads no LeaderWorkerSet",
    "k8s-netpol-default-deny": "Checkov joins policies to pods, and says nothing of a namespace that has none",
    "k8s-no-default-ns": "Checkov reads no RayCluster",
    "k8s-pod-no-added-caps": "RDMA needs IPC_LOCK, and Google's daemon NET_ADMIN: facts that Checkov has no table of",
    "k8s-pod-no-hostns": "a device plugin needs the host's network: a fact that Checkov has no table of",
    "k8s-pod-no-hostpath": "Checkov looks for Docker's socket only",
    "k8s-pod-not-privileged": "Checkov reads no LeaderWorkerSet and no Windows pod, and exempts no driver",
    "k8s-pod-sa-not-default": "Checkov asks this of bindings and service accounts, not of pods that name none",
    "k8s-pod-seccomp": "Checkov stops at the pod where a container says otherwise",
    "k8s-rbac-no-admission": "Checkov reads no resourceNames and no admission policies; k8s-rbac-no-wildcard has *",
    "k8s-rbac-no-cluster-admin": "Checkov looks for rights to make bindings, not for the administrator's role",
    "k8s-rbac-no-escalate": "Checkov asks of impersonation only where a service account is bound to it",
    "k8s-rbac-no-secrets-read": "Checkov complains of what is bound to a service account, be it in one namespace",
    "k8s-rbac-no-wildcard": "Checkov reads the first rule of a role only, and forbids * on an operator's own group",
    "k8s-sa-no-automount": "Checkov asks this of pods, not of the service account that they have it from",
}
"""Why the two differ, read from Checkov's checks. The cases are ours: what it forbids beyond them is not counted."""


def main() -> None:
    judged = [case for case in policy_cases() if case.outcome in WANTED and _ids(case) and _renders(case)]
    with tempfile.TemporaryDirectory() as folder:
        for index, case in enumerate(judged):
            (Path(folder) / f"case-{index}.yaml").write_text(_manifests(case), encoding="utf-8")
        said = _checkov(Path(folder))
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    apart: dict[str, list[str]] = defaultdict(list)
    for index, case in enumerate(judged):
        complaint = bool(_ids(case) & said.get(f"case-{index}.yaml", set()))
        ours[_word(wanted=WANTED[case.outcome], reported=outcome(case) == "fail")] += 1
        word = _word(wanted=WANTED[case.outcome], reported=complaint)
        theirs[word] += 1
        if word.startswith(("missed", "false")):
            apart[case.rule].append(f"{word} ({case.outcome})")
    print(f"{len(judged)} manifests of {len({case.rule for case in judged})} rules that both have; Checkov {VERSION}")
    for name, counts in (("Penstock", ours), ("Checkov", theirs)):
        print(f"{name:10} {', '.join(f'{count} {word}' for word, count in sorted(counts.items()))}")
    for rule, words in sorted(apart.items()):
        counted = ", ".join(f"{count} {word}" for word, count in Counter(words).items())
        print(f"    {rule} ({', '.join(sorted(_ids_of(rule)))}): {counted}. {WHY.get(rule, 'Not explained yet')}.")


def _word(*, wanted: bool, reported: bool) -> str:
    return {(True, True): "found", (True, False): "missed", (False, True): "false", (False, False): "rightly silent"}[
        wanted, reported
    ]


def _checkov(folder: Path) -> Mapping[str, set[str]]:
    """The ids that Checkov complains by, for each file."""
    if shutil.which(CHECKOV[0]) is None:
        sys.exit("uv is not there: make .venv/ready")
    command = (
        *CHECKOV,
        "--directory",
        str(folder),
        "--framework",
        "kubernetes",
        "--output",
        "json",
        "--compact",
        "--quiet",
        "--skip-download",
    )
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found: dict[str, set[str]] = defaultdict(set)
    for failed in json.loads(done.stdout)["results"]["failed_checks"]:
        found[Path(failed["file_path"]).name].add(failed["check_id"])
    return found


def _ids(case: RuleCase) -> set[str]:
    return _ids_of(case.rule)


def _ids_of(rule: str) -> set[str]:
    return {peer for peer in rules_by_id()[rule].peers if re.match(r"CKV2?_K8S_", peer)}


def _renders(case: RuleCase) -> bool:
    """Whether a case is a program of plain manifests: nothing that only a cloud knows, and no chart."""
    return not case.preview and all(
        re.fullmatch(r"kubernetes:(?!helm\.sh)[\w.-]+(?:/\w+)?:\w+", type_) and all(map(_is_plain, _leaves(inputs)))
        for type_, inputs in case.program.values()
    )


def _is_plain(value: Any) -> bool:
    return not isinstance(value, Unknown | Secret | Ref)


def _leaves(value: Any) -> Iterator[Any]:
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for item in items:
        yield from _leaves(item)
    if not isinstance(value, Mapping | list):
        yield value


def _manifests(case: RuleCase) -> str:
    objects = []
    for name, (type_, inputs) in case.program.items():
        _, version, kind = type_.split(":")
        metadata = {"name": name if name != IT else "it", **inputs.get("metadata", {})}
        objects.append({"apiVersion": version.removeprefix("core/"), "kind": kind, **inputs, "metadata": metadata})
    return yaml.safe_dump_all(objects)


if __name__ == "__main__":
    main()
