"""The service accounts of add-ons that need rights in the cloud.

They get them as the pods of users do: a bucket or a store of secrets names them among its readers and writers, and each
cloud binds them in its way.
"""

from __future__ import annotations

from typing import Final

from penstock.description.platform import Spec

EXTERNAL_SECRETS: Final = "external-secrets/external-secrets"
"""The controller that copies secrets into namespaces."""


def with_addons(spec: Spec) -> Spec:
    """Return a description whose secrets also name the add-ons that use them."""
    store = spec.addons.secrets
    if store is None or not store.delivered_to:
        return spec
    readers = tuple(dict.fromkeys((*store.readers, EXTERNAL_SECRETS)))
    addons = spec.addons.model_copy(update={"secrets": store.model_copy(update={"readers": readers})})
    return spec.model_copy(update={"addons": addons})
