// A pool of H100 in an existing EKS cluster.
package main

import (
	"example.com/pulumi-penstock/sdk/go/penstock"
	"example.com/pulumi-penstock/sdk/go/penstock/aws"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		network := aws.NetworkHandleArgs{
			VpcId:         pulumi.String("vpc-0123456789abcdef0"),
			Subnets:       pulumi.StringMap{"us-east-1a": pulumi.String("subnet-0123456789abcdef0")},
			FabricGroupId: pulumi.String("sg-0123456789abcdef0"),
			Cidr:          pulumi.String("10.0.0.0/16"),
		}
		key := aws.KeyHandleArgs{
			Arn: pulumi.String("arn:aws:kms:us-east-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef"),
		}
		train, err := aws.NewNodePool(ctx, "train", &aws.NodePoolArgs{
			Accelerator: pulumi.String("h100"),
			Nodes:       penstock.NodesArgs{Min: pulumi.Int(0), Max: pulumi.Int(16)},
			Capacity:    penstock.NodePoolCapacitySpot,
			Cluster: aws.ClusterHandleArgs{
				Name:                 pulumi.String("shared"),
				SecurityGroupId:      pulumi.String("sg-0123456789abcdef1"),
				Endpoint:             pulumi.String("https://0123456789.gr7.us-east-1.eks.amazonaws.com"),
				CertificateAuthority: pulumi.String("LS0t"),
				Version:              pulumi.String("1.35"),
			},
			Network: network,
			Key:     key,
		})
		if err != nil {
			return err
		}
		ctx.Export("group", train.GroupName)
		return nil
	})
}
