// A checkout in Go: what it knows of a cart itself. checkout_rates.go asks the service. Needs Go 1.19 and nothing else:
// RATEWRIGHT_URL=http://... RATEWRIGHT_KEY=rw_... go run checkout.go checkout_rates.go CART.json...
package main

import (
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"
)

type Rates []map[string]any

type Cart struct {
	Destination struct{ Country string }
	Currency    string
	Items       []struct{ RequiresShipping *bool }
}

func (cart Cart) needsShipping() bool {
	for _, item := range cart.Items {
		if item.RequiresShipping == nil || *item.RequiresShipping {
			return true
		}
	}
	return len(cart.Items) == 0
}

//go:embed fallback-rates.json
var fallbackFile []byte // by currency, then by country of the destination; * has those of the others

func (cart Cart) fallbackRates() Rates {
	var fallback map[string]map[string]Rates
	if err := json.Unmarshal(fallbackFile, &fallback); err != nil {
		panic(err)
	}
	rates, isListed := fallback[cart.Currency][strings.ToUpper(cart.Destination.Country)]
	if !isListed {
		rates = fallback[cart.Currency]["*"]
	}
	return append(Rates{}, rates...)
}

// A trace of its own; a checkout that is traced gives the header of the request that it answers.
func newTrace() string {
	id := make([]byte, 24)
	if _, err := rand.Read(id); err != nil {
		panic(err)
	}
	return fmt.Sprintf("00-%x-%x-01", id[:16], id[16:])
}

func main() {
	if set, err := time.ParseDuration(os.Getenv("CHECKOUT_DEADLINE_MS") + "ms"); err == nil {
		deadline = set
	}
	for _, path := range os.Args[1:] {
		body, err := os.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		traceparent := os.Getenv("TRACEPARENT")
		if traceparent == "" {
			traceparent = newTrace()
		}
		source, rates := ratesFor(body, traceparent)
		if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"source": source, "rates": rates}); err != nil {
			log.Fatal(err)
		}
	}
}
