"""The service accounts of add-ons that need rights in the cloud.

They get them as the pods of users do: a store of secrets names them among its readers, and each cloud binds them in its
way.
"""

from __future__ import annotations

from penstock.description.platform import Spec


def with_addons(spec: Spec) -> Spec:
    """Return a description whose add-ons also name the service accounts that they read by themselves."""
    return spec.model_copy(update={"addons": spec.addons.changed(lambda block: block.with_own_readers())})
