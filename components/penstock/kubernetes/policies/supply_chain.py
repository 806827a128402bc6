"""Supply chain on Kubernetes: that what runs is what was meant, from where it was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, asked, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.model.pods import containers as pods
from penstock.kubernetes.model.pods.containers import WORKLOADS
from penstock.kubernetes.policies.pods import Containers
from penstock.policies import downloads
from penstock.policies.downloads import PinnedDownloads
from penstock.rules.checks import Absent, All, Either, Given, Is, Matches, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SUPPLY_CHAIN)

_DIGEST = (
    r".+@(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}"
    r"|(?!sha(?:256|512):)[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})"
)
"""Digests that OCI registers, and others in the form of a reference (distribution, reference grammar)."""
_TAG = r"(?:.*/)?[^/:@]+:[A-Za-z0-9_][A-Za-z0-9_.-]*"
_LATEST = r"(?:.*/)?[^/:@]+(?::latest)?"
_RETIRED = (
    r"(?:k8s\.gcr\.io/.*"
    r"|(?:.*/)?ingress-nginx/controller(?:-chroot)?(?:[:@].*)?"
    r"|quay\.io/kubernetes-ingress-controller/.*"
    r"|(?:.*/)?kubernetesui/(?:dashboard|metrics-scraper)(?:-\w+)?(?:[:@].*)?"
    r"|(?:.*/)?tiller(?:[:@].*)?)"
)
"""Images whose projects are retired: ingress-nginx, Kubernetes Dashboard and Tiller, and a registry that is frozen."""
_EXACT = r"v?\d+\.\d+\.\d+(?:[-+].*)?"
_DOCKER_HUB = "docker.io"
_DAEMON_SET = "kubernetes:apps/v1:DaemonSet"

RULES.row(
    "k8s-image-digest",
    "An image is named by its digest.",
    on=WORKLOADS,
    check=Containers(Where(Given("image"), Matches("image", _DIGEST))),
    severity=MEDIUM,
    rationale="A tag can be moved: the same manifest then runs other code on other nodes, or what an intruder pushed.",
    fix="Append @sha256:… to image, as crane digest prints it; a bot such as Renovate keeps it up to date.",
    peers="CKV_K8S_43 C-0306 KICS:7c81d34c",
)
RULES.row(
    "k8s-image-no-latest",
    "An image names its version.",
    on=WORKLOADS,
    check=Containers(
        Where(
            Given("image"),
            Either(Matches("image", _DIGEST), All(Matches("image", _TAG), Unlike("image", ".*:latest"))),
        )
    ),
    severity=MEDIUM,
    rationale="What latest is changes with every push: ranks of one job run different code, and nobody can go back.",
    fix="Put the tag of a release into image, or better its digest.",
    peers="CKV_K8S_14 KSV-0013 KICS:583053b7 C-0304",
)


@RULES.rule(
    on=WORKLOADS,
    severity=MEDIUM,
    rationale=(
        "An image from anywhere brings anything, and a registry that limits pulls stops a job of a thousand nodes."
    ),
    fix="Push the image to a registry of allowed_registries, and name it there in image.",
    peers=" KSV-0125 C-0001 C-0078 C-0304",
    cis=("EKS 1.8: 5.1.4",),
)
def k8s_image_registry(workload: View, settings: Settings) -> Verdict:
    """An image comes from a registry that the settings allow, if they name any."""
    allowed = settings.parameters.allowed_registries
    if not allowed:
        return NOT_APPLICABLE

    def one(place: Location) -> Verdict:
        if isinstance(place.value, Unknown | Secret):
            return UNKNOWN
        if not place.value or not isinstance(place.value, str):
            return NOT_APPLICABLE
        whole = _whole(place.value)
        fits = any(whole.startswith(f"{registry.rstrip('/')}/") for registry in allowed)
        return allow(fits, f"{place.path} comes from {whole.partition('/')[0]}", path=place.path)

    return together(asked(lambda images: each(images(workload), one), images) for images in (_images, _image_volumes))


def _images(workload: View) -> Iterator[Location]:
    for container in pods.containers(workload):
        yield from container.locations("image")


def _image_volumes(workload: View) -> Iterator[Location]:
    """The images that are mounted as files, as models are."""
    for spec in pods.specs(workload):
        yield from workload.within(spec).locations("volumes[].image.reference")


def _whole(image: str) -> str:
    """The name of an image with its registry, which is Docker's where it names none."""
    host, slash, _ = image.partition("/")
    if slash and ("." in host or ":" in host or host == "localhost"):
        return image
    return f"{_DOCKER_HUB}/{image}" if slash else f"{_DOCKER_HUB}/library/{image}"


@RULES.rule(
    on=HELM_CHARTS,
    severity=MEDIUM,
    rationale=(
        "Without an exact version each deployment may bring other objects than were reviewed, and over http anyone on "
        "the way may put in theirs."
    ),
    fix="Set version to one release, such as 1.2.3, and repositoryOpts.repo to an https:// or oci:// address.",
)
def k8s_helm_pinned(release: View, settings: Settings) -> Verdict:
    """A chart has an exact version, and comes over an encrypted connection."""
    chart = release.text("chart") or ""
    if chart.startswith((".", "/")) or chart.endswith(".tgz"):
        return NOT_APPLICABLE
    options = release.block("repositoryOpts")
    repository = None if options is None else options.text("repo")
    if "http://" in (chart[:7], (repository or "")[:7]):
        return fail("the chart comes over http", path="repositoryOpts.repo" if repository else "chart")
    if release.flag("plainHttp"):
        return fail("the chart comes over http", path="plainHttp")
    return Matches("version", _EXACT).judge(release, settings)


RULES.row(
    "k8s-image-maintained",
    "An image comes from a project that still mends it.",
    on=WORKLOADS,
    check=Containers(Where(Given("image"), Unlike("image", _RETIRED))),
    severity=MEDIUM,
    rationale="Nobody mends the next flaw: these projects are archived, and k8s.gcr.io has had no images since 2023.",
    fix="Replace ingress-nginx by a controller of the Gateway API, Kubernetes Dashboard by Headlamp and Tiller by Helm "
    "3, and pull from registry.k8s.io.",
    sources=(
        "Kubernetes blog, Ingress NGINX: statement of the steering and security response committees, 2026-01-29",
        "kubernetes/dashboard README: archived, Headlamp in its place",
        "Kubernetes blog, k8s.gcr.io image registry will be frozen, 2023-04-03",
        "Helm blog, Helm 2 and the charts project are unsupported, 2020-11-13",
    ),
    peers="CKV_K8S_33 CKV_K8S_34 KSV-0102 C-0253 C-0292 KICS:6d173be7 KICS:d2ad057f",
)
RULES.row(
    "k8s-image-pull-always",
    "An image without a digest is pulled at each start.",
    on=WORKLOADS,
    check=Containers(
        Where(
            All(Given("image"), Unlike("image", _DIGEST)),
            Either(
                Is("imagePullPolicy", value="Always"),
                All(Absent("imagePullPolicy"), Matches("image", _LATEST)),
            ),
        )
    ),
    severity=LOW,
    rationale=(
        "A node starts what it has under that tag, for pods without the right to pull it, too: replicas then run "
        "different code."
    ),
    fix="Append @sha256:… to image; or set imagePullPolicy to Always, which fetches only layers that are not there.",
    peers="CKV_K8S_15 C-0075 KICS:caa3479d",
)
RULES.row(
    "k8s-helm-verify",
    "A chart with a keyring is verified by it.",
    on=HELM_CHARTS,
    check=Where(Given("keyring"), Is("verify", value=True)),
    severity=LOW,
    rationale="Without verify the keyring is not looked at: a chart that someone changed is installed all the same.",
    fix="Set verify to true.",
)


_REMOTE_CODE = re.compile(r"(?:^|\s)--trust[-_]remote[-_]code(?!=(?i:false))(?=[\s=]|$)")
_REVISION = re.compile(r"(?:^|\s)--(?:code-)?revision[= ]")


@RULES.rule(
    on=WORKLOADS,
    each_of=pods.containers,
    severity=MEDIUM,
    rationale=(
        "The server runs Python that comes with the model, as it is on the hub that day: who pushes to that repository "
        "runs code on the GPUs, next to the prompts."
    ),
    fix="Remove --trust-remote-code, which most models no longer need, or pin the commit with --revision or "
    "--code-revision.",
)
def k8s_model_code_pinned(container: Block) -> Verdict:
    """A server that runs the code of a model runs one revision of it."""
    places = [place for path in ("command", "args") for place in container.locations(path) if place.value is not None]
    said = {place.path: _words(place.value) for place in places}
    lets = [path for path, text in said.items() if _REMOTE_CODE.search(text)]
    if any(_REVISION.search(text) for text in said.values()):
        return PASS if lets else NOT_APPLICABLE
    if not all(_is_known(place.value) for place in places):
        return UNKNOWN
    return each(lets, lambda path: fail(f"{path} lets the model bring code of no fixed revision", path=path))


def _words(command: Any) -> str:
    words = command if isinstance(command, list | tuple) else [command]
    return " ".join(word for word in words if isinstance(word, str))


def _is_known(command: Any) -> bool:
    words = command if isinstance(command, list | tuple) else [command]
    return not any(isinstance(word, Unknown | Secret) for word in words)


RULES.row(
    "k8s-daemonset-download-pinned",
    "What the containers of a DaemonSet download as they start is pinned.",
    on=_DAEMON_SET,
    check=Containers(All(PinnedDownloads("command[]"), PinnedDownloads("args[]"))),
    severity=LOW,
    rationale=downloads.RATIONALE,
    fix=downloads.FIX,
)
