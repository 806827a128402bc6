"""What no rule reports yet, and what Azure takes and then does badly."""

from __future__ import annotations

OPEN_ENUMERATIONS = frozenset(
    {
        "a budget for a month",
        "a channel that AKS has not",
        "a direction in AWS' word",
        "a disk for the kubelet that is none",
        "a disk that is not sold",
        "a key of a type that is none",
        "a kind of account that is none",
        "a placement that is none",
        "a protocol of another layer",
        "a protocol of files that is none",
        "a rule of another type",
        "a way out that AKS has not",
        "a way to nowhere known",
        "a window on no day",
        "an expander that is none",
        "disks encrypted somehow",
        "root squashed somehow",
        "slices in fifths",
    }
)
"""Words that a specification does not list, of an enumeration that it calls open: Azure might accept them."""

WARNED = frozenset(
    {
        "a size below the first step",
        "a size between two steps",
        "a size of 125 for another SKU",
        "a subnet with too few addresses",
        "more machines than one InfiniBand holds",
        "more nodes than reserved",
        *OPEN_ENUMERATIONS,
    }
)
"""What Azure rounds up, ignores, or does on request."""

UNREPORTED = frozenset(
    {
        "networks: a service tag that is none",
        "networks: an address that waits too long",
        "networks: a service endpoint of no service",
        "networks: a subnet delegated to nobody",
        "clusters: no name for addresses",
        "clusters: an interval without its unit",
        "clusters: a cleaner that comes too often",
        "clusters: a window by a name of one's own",
        "clusters: a window at an hour that is none",
        "pools: a pool in a subnet of databases",
        "pools: processors managed somehow",
        "pools: topology managed somehow",
        "pools: huge pages somehow",
        "pools: fewer maps than Linux has",
        "pools: a runtime that is none",
        "pools: a scale set with more than its placement group holds",
        "pools: a scale set that is evicted and not for sale",
        "pools: two disks at one place",
        "pools: a person who may not be",
        "pools: neither password nor key",
        "pools: a disk with more operations than it may have",
        "lustre: a container by its name",
        "lustre: root squashed for nobody",
        "stores: a subnet that does not reach storage",
        "stores: a key of one's own that is not named",
        "stores: rules of age by a name of one's own",
        "stores: a rule that does nothing",
        "stores: a rule for blobs that are none",
        "stores: a share of 50 GiB",
        "stores: a share of 200 TiB",
        "stores: a version of PostgreSQL that is none",
        "stores: a disk that is not sold",
        "stores: a window at hour 25",
        "stores: a database with a slash",
        "trust: a key without a version that does not rotate",
        "trust: a budget of less than nothing",
        "trust: a budget for a name",
    }
)
"""By family: neither in `up` nor in a preview."""

UNKNOWN_IN_PREVIEWS = frozenset(
    {
        "trust: a role for an identity's resource",
        "lustre: the data's own container for what is logged",
        "lustre: an account without keys",
        "stores: a private registry below Premium",
    }
)
"""What only values show that a preview does not know."""
