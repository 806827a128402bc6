import { aws } from "@pulumi/penstock";

const network = {
    vpcId: "vpc-0123456789abcdef0",
    subnets: { "us-east-1a": "subnet-0123456789abcdef0" },
    fabricGroupId: "sg-0123456789abcdef0",
    cidr: "10.0.0.0/16",
};
const cluster = {
    name: "shared",
    securityGroupId: "sg-0123456789abcdef1",
    endpoint: "https://0123456789.gr7.us-east-1.eks.amazonaws.com",
    certificateAuthority: "LS0t",
    version: "1.35",
};
const key = { arn: "arn:aws:kms:us-east-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef" };

const checkpoints = new aws.Bucket("checkpoints", { key });
const scratch = new aws.Lustre("scratch", {
    capacityTib: 19.2,
    throughputMbpsPerTib: 250,
    fabric: "efa",
    zone: "us-east-1a",
    source: checkpoints.handle,
    export: true,
    network,
    key,
});
const train = new aws.NodePool("train", { accelerator: "h100", nodes: { min: 0, max: 16 }, cluster, network, key });

export const bucket = checkpoints.name;
export const mount = scratch.mountName;
export const group = train.groupName;
