"""Asks a cluster that exists, by kubectl, for what a platform on it needs."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.errors import CannotAsk
from penstock.description import kubeconfig
from penstock.description.platform import Spec
from penstock.graph.view import Site
from penstock.kubernetes.preflight import objects, pools
from penstock.kubernetes.preflight.cluster import AskedCluster, open_cluster, reply_to
from penstock.preconditions import Precondition
from penstock.preconditions.need import NamedNeed, NamesNeed
from penstock.preflight.inquiry import Reply, met, not_asked
from penstock.preflight.rest import Refused, Silent

_PROVIDER = "pulumi:providers:kubernetes"


class ClusterInquiry:
    """Questions to one cluster."""

    def __init__(self, cluster: AskedCluster, site: Site, described: Spec | None) -> None:
        self._cluster, self._site, self._described = cluster, site, described

    @property
    def caller(self) -> str:
        """The context of the kubeconfig."""
        return f"the user of {self._cluster.name}, in a cluster of Kubernetes {self._cluster.version}"

    def further(self, site: Site, described: Spec | None) -> Iterator[Precondition]:  # noqa: ARG002 - as opened
        """Yield the version, pools, devices, kinds, rights and storage classes."""
        yield from objects.objects_needed(site, self._described)
        if self._described is not None:
            yield from pools.pools_needed(self._described)

    def answer(self, precondition: Precondition) -> Reply | None:
        """Ask for one precondition."""
        try:
            match precondition.need:
                case NamesNeed() as need if precondition.kind == objects.KINDS:
                    return objects.answer_kinds(self._cluster, need)
                case NamesNeed() as need:
                    return objects.answer_rights(self._cluster, need)
                case NamedNeed() as need if need.kind in (pools.POOL, pools.ADVERTISER):
                    return self._of_pool(need)
                case NamedNeed() as need:
                    return self._of_thing(need)
        except Refused as refusal:
            return reply_to(refusal)
        except Silent as silent:
            return not_asked(f"No answer from the cluster: {silent}")
        return None

    def _of_pool(self, need: NamedNeed) -> Reply | None:
        if self._described is None:
            return None
        if need.kind == pools.POOL:
            return pools.answer_pool(self._cluster, self._described, need)
        return pools.answer_advertiser(self._cluster, self._site, self._described, need)

    def _of_thing(self, need: NamedNeed) -> Reply | None:
        match need.kind:
            case "kubernetes-cluster":
                return met(f"It answers, with Kubernetes {self._cluster.version}.")
            case objects.VERSION:
                return objects.answer_version(self._cluster, need)
            case objects.CLASSES:
                return objects.answer_class(self._cluster, need)
            case objects.DEFAULT:
                return objects.answer_default(self._cluster, self._site)
            case pools.RUNTIME:
                return pools.answer_runtime(self._cluster, need)
        return None


def open_inquiry(site: Site, described: Spec | None) -> ClusterInquiry:
    """Return an inquiry about the cluster whose kubeconfig a provider of the program names.

    Raises:
        CannotAsk: there is no kubectl, the kubeconfig cannot be used, or the server is not reached or lets nobody in.
    """
    own = described if described is not None and described.cloud.provider == kubeconfig.PROVIDER else None
    trouble = (kubeconfig.missing(own.cluster) or kubeconfig.trouble_with(own.cluster)) if own is not None else None
    if trouble is not None:
        raise CannotAsk(f"{trouble.message} {trouble.hint}")
    providers = [view for view in site.of_type(_PROVIDER) if view.given("kubeconfig") or view.given("context")]
    provider = providers[0] if providers else None
    file, context = (
        str((provider.given(key) if provider is not None else "") or "") for key in ("kubeconfig", "context")
    )
    return ClusterInquiry(open_cluster(file, context), site, own)
