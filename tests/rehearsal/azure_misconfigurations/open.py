"""What no rule reports yet, and what Azure takes and then does badly."""

from __future__ import annotations

WARNED = frozenset(
    {
        "a size below the first step",
        "a size between two steps",
        "a size of 125 for another SKU",
        "a subnet with too few addresses",
        "a throughput that is not sold",
        "more machines than one InfiniBand holds",
        "more nodes than reserved",
        "versions of blobs in folders",
    }
)
"""What Azure rounds up, ignores, or does on request."""

UNREPORTED = frozenset(
    {
        "networks: a rule of too low a priority",
        "networks: a rule of too high a priority",
        "networks: a service tag that is none",
        "networks: Lustre behind a closed door",
        "networks: an address that waits too long",
        "networks: a NAT gateway that waits too long",
        "networks: a service endpoint of no service",
        "networks: a subnet delegated to nobody",
        "networks: an endpoint in a delegated subnet",
        "networks: names of another part",
        "networks: a zone by a name that no client asks for",
        "clusters: an API in a subnet that is not its own",
        "clusters: a tier that AKS has not",
        "clusters: no name for addresses",
        "clusters: an interval without its unit",
        "clusters: a cleaner that comes too often",
        "clusters: a window by a name of one's own",
        "clusters: a window of two hours",
        "clusters: a window at an hour that is none",
        "pools: a pool in a subnet of databases",
        "pools: processors managed somehow",
        "pools: topology managed somehow",
        "pools: huge pages somehow",
        "pools: fewer maps than Linux has",
        "pools: a runtime that is none",
        "pools: a scale set on InfiniBand in several placement groups",
        "pools: a scale set with more than its placement group holds",
        "pools: a scale set that is evicted and not for sale",
        "pools: a machine in two zones",
        "pools: a machine in another zone than its disk",
        "pools: two disks at one place",
        "pools: a person who may not be",
        "pools: neither password nor key",
        "pools: a disk with more operations than it may have",
        "lustre: a zone that is none",
        "lustre: a subnet of databases",
        "lustre: a container by its name",
        "lustre: a key that nobody may use",
        "lustre: root squashed for nobody",
        "stores: encryption by its number",
        "stores: a subnet that does not reach storage",
        "stores: a key of one's own that is not named",
        "stores: a key of one's own that nobody may use",
        "stores: deleted blobs kept for ever",
        "stores: blob properties by a name of one's own",
        "stores: rules of age by a name of one's own",
        "stores: a rule that does nothing",
        "stores: a rule for blobs that are none",
        "stores: a share of 50 GiB",
        "stores: a share of 200 TiB",
        "stores: a private registry below Premium",
        "stores: a version of PostgreSQL that is none",
        "stores: a version of PostgreSQL that is gone",
        "stores: a disk that is not sold",
        "stores: a window at hour 25",
        "stores: a database with a slash",
        "trust: a vault that forgets at once",
        "trust: a vault that never forgets",
        "trust: a vault of a tenant by name",
        "trust: a vault that lets nobody in",
        "trust: a short key",
        "trust: a key without a version that does not rotate",
        "trust: a threshold over or so",
        "trust: a budget of less than nothing",
        "trust: a budget for a name",
        "trust: a region that is none",
    }
)
"""By family: neither in `up` nor in a preview."""

UNKNOWN_IN_PREVIEWS = frozenset(
    {
        "trust: a role for an identity's resource",
        "lustre: the data's own container for what is logged",
        "lustre: an account without keys",
    }
)
"""What only values show that a preview does not know."""
