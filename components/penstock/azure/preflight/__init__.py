"""Asks Azure, by azure-identity and the REST API of its Resource Manager, for the preconditions of a program."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.azure.preconditions.quotas import quotas_drawn
from penstock.azure.preflight import places, rights
from penstock.azure.preflight.quotas import answer_machines, answer_quota
from penstock.azure.preflight.subscription import AzureSubscription, open_subscription
from penstock.description.platform import Spec
from penstock.graph.view import Site
from penstock.preconditions import Precondition
from penstock.preconditions.need import FeatureNeed, FreeNameNeed, MachinesNeed, NamedNeed, NamesNeed, QuotaNeed
from penstock.preflight.inquiry import Reply, not_asked
from penstock.preflight.machines import offered
from penstock.preflight.rest import Silent

_PROVIDER = "pulumi:providers:azure-native"


class AzureInquiry:
    """Questions to one subscription."""

    def __init__(self, azure: AzureSubscription, site: Site) -> None:
        self._azure, self._site, self._sizes = azure, site, places.Sizes(azure)

    @property
    def caller(self) -> str:
        """The subscription that is asked about."""
        return f"the caller of the Azure credentials, about subscription {self._azure.id}"

    def further(self, site: Site, described: Spec | None) -> Iterator[Precondition]:  # noqa: ARG002 - as all inquiries
        """Yield the subscription, permissions, sizes, versions, ranges, and every quota that the program draws on."""
        yield rights.subscription_needed(self._azure.id)
        needed = rights.permissions_needed(site)
        if needed is not None:
            yield needed
        yield from offered(site, "azure", places.HOW_OFFERED)
        yield from places.versions_needed(site)
        yield from places.ranges_needed(site)
        yield from quotas_drawn(site)

    def answer(self, precondition: Precondition) -> Reply | None:
        """Ask for one precondition."""
        try:
            return self._answer(precondition)
        except Silent as silent:
            return not_asked(f"No answer from Azure: {silent}")

    def _answer(self, precondition: Precondition) -> Reply | None:
        azure = self._azure
        match precondition.need:
            case QuotaNeed() as need:
                return answer_quota(azure, need)
            case MachinesNeed() as need:
                return answer_machines(azure, need)
            case FeatureNeed() as need:
                return rights.answer_feature(azure, need)
            case FreeNameNeed() as need:
                return places.answer_free_name(azure, need)
            case NamesNeed() as need if precondition.kind == rights.PERMISSIONS:
                return rights.answer_permissions(azure, need)
            case NamesNeed() as need:
                return rights.answer_providers(azure, need)
            case NamedNeed() as need:
                return self._of_thing(need)
        return None

    def _of_thing(self, need: NamedNeed) -> Reply | None:
        match need.kind:
            case "subscription":
                return rights.answer_subscription(self._azure, need)
            case "offer":
                return places.answer_offer(self._sizes, need)
            case "version":
                return places.answer_version(self._azure, need)
            case "range":
                return places.answer_range(self._azure, need)
            case "az-principal":
                return places.answer_principal(self._azure, need)
        return places.answer_named(self._azure, self._site, need)


def open_inquiry(site: Site, described: Spec | None) -> AzureInquiry:
    """Return an inquiry about the subscription that the provider or the description names.

    Raises:
        CannotAsk: azure-identity is missing, no subscription is named, or Azure accepts no credentials.
    """
    provider = next(iter(site.of_type(_PROVIDER)), None)
    named = provider.given("subscriptionId") if provider is not None else None
    environment = provider.given("environment") if provider is not None else None
    subscription = named or (described.cloud.account if described is not None else None) or ""
    return AzureInquiry(open_subscription(str(subscription), str(environment or "public")), site)
