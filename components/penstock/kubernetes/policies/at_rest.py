"""Encryption at rest on Kubernetes: what volumes a storage class makes."""

from __future__ import annotations

from penstock.graph.verdict import Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import All, Check, Custom, Either, Given, Is, NoneOf, OneOf, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.AT_REST)

_CLASS = "kubernetes:storage.k8s.io/v1:StorageClass"
_EBS = ("ebs.csi.aws.com", "ebs.csi.eks.amazonaws.com", "kubernetes.io/aws-ebs")
_FILESTORE = ("filestore.csi.storage.gke.io",)
_KEYS = {
    _EBS: ("kmsKeyId", "kmskeyid"),
    ("pd.csi.storage.gke.io", "kubernetes.io/gce-pd"): ("disk-encryption-kms-key",),
    _FILESTORE: ("instance-encryption-kms-key",),
    ("disk.csi.azure.com", "kubernetes.io/azure-disk"): ("diskEncryptionSetID", "diskEncryptionSetId"),
    ("fsx.csi.aws.com",): ("kmsKeyId",),
    ("fsx.openzfs.csi.aws.com",): ("KmsKeyId",),
}
"""The parameter that names a key, by the drivers that take it."""
_TAKES_A_KEY = All(
    NoneOf("parameters.deploymentType", ("SCRATCH_1", "SCRATCH_2")),
    Either(NoneOf("provisioner", _FILESTORE), OneOf("parameters.tier", ("zonal", "regional", "enterprise"))),
)
"""Scratch file systems of FSx and basic tiers of Filestore, its driver's default, have the key of the service."""


def _account_encrypts(storage_class: View, _: Settings) -> Verdict:
    """Return whether the program turns the encryption of all volumes of an account on."""
    switches = storage_class.site.of_type("aws:ebs/encryptionByDefault:EncryptionByDefault")
    return allow(
        any(switch.flag("enabled") in (None, True) for switch in switches),
        "no aws:ebs:EncryptionByDefault encrypts all volumes",
    )


RULES.row(
    "k8s-sc-encrypted",
    "A storage class of EBS makes encrypted volumes.",
    on=_CLASS,
    check=Where(
        OneOf("provisioner", _EBS),
        Either(Is("parameters.encrypted", value="true"), Custom(_account_encrypts, others=True)),
    ),
    severity=HIGH,
    rationale=(
        "Checkpoints and data sets then lie in clear in EBS and in each snapshot of it; the other clouds encrypt every "
        "disk."
    ),
    fix='Set parameters.encrypted to "true", which replaces the class; existing volumes stay as they are until they '
    "are copied.",
    peers="C-0264",
)


def _keys() -> Check:
    return Either(
        *(
            Where(All(OneOf("provisioner", drivers), _TAKES_A_KEY), Given(f"parameters.{key}"))
            for drivers, keys in _KEYS.items()
            for key in keys
        )
    )


RULES.row(
    "k8s-sc-cmk",
    "A storage class encrypts its volumes with a key of the customer's own.",
    on=_CLASS,
    check=_keys(),
    severity=MEDIUM,
    rationale="Nobody can withdraw a key that the cloud manages, nor see who used it.",
    fix="Set the driver's parameter: kmsKeyId (EBS, FSx), disk-encryption-kms-key (Persistent Disk), "
    "instance-encryption-kms-key (Filestore) or diskEncryptionSetID (Azure Disk). The class is replaced, and existing "
    "volumes keep their key.",
)
