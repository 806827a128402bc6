// Kube-router's network policy engine over objects from a file, in the network namespace that it is started in.
//
// It enforces the policies of the objects until it is stopped, and writes "enforcing" once they are in force.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cloudnativelabs/kube-router/v2/pkg/controllers/netpol"
	"github.com/cloudnativelabs/kube-router/v2/pkg/healthcheck"
	"github.com/cloudnativelabs/kube-router/v2/pkg/options"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
)

type objects struct {
	Nodes           []core.Node
	Namespaces      []core.Namespace
	Pods            []core.Pod
	NetworkPolicies []networking.NetworkPolicy
}

func main() {
	if err := enforce(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func enforce(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var given objects
	if err := json.Unmarshal(content, &given); err != nil {
		return err
	}
	client := fake.NewSimpleClientset(given.all()...)
	config := options.NewKubeRouterConfig()
	config.EnableIPv4 = true
	config.HostnameOverride = given.Nodes[0].Name
	commands, sets, err := netpol.NewIPTablesHandlers(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods().Informer()
	namespaces := factory.Core().V1().Namespaces().Informer()
	policies := factory.Networking().V1().NetworkPolicies().Informer()
	stop := make(chan struct{})
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	engine, err := netpol.NewNetworkPolicyController(
		client, config, pods, policies, namespaces, &sync.Mutex{}, commands, sets)
	if err != nil {
		return err
	}
	health := make(chan *healthcheck.ControllerHeartbeat, 10)
	var running sync.WaitGroup
	running.Add(1)
	go engine.Run(health, stop, &running)
	for range 600 {
		time.Sleep(100 * time.Millisecond)
		chains, err := commands[core.IPv4Protocol].ListChains("filter")
		if err != nil {
			return err
		}
		if slices.ContainsFunc(chains, isOfPod) {
			fmt.Println("enforcing")
			select {}
		}
	}
	return fmt.Errorf("the engine has no rules after a minute")
}

// isOfPod reports whether a chain has the rules of a pod: the engine writes all of them at once.
func isOfPod(chain string) bool {
	return strings.HasPrefix(chain, "KUBE-POD-FW-")
}

func (given objects) all() []runtime.Object {
	var found []runtime.Object
	for i := range given.Nodes {
		found = append(found, &given.Nodes[i])
	}
	for i := range given.Namespaces {
		found = append(found, &given.Namespaces[i])
	}
	for i := range given.Pods {
		found = append(found, &given.Pods[i])
	}
	for i := range given.NetworkPolicies {
		found = append(found, &given.NetworkPolicies[i])
	}
	return found
}
