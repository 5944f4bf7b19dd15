// Rates for a checkout: asked for with a deadline, and taken from a file when there is no answer.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

var deadline = 800 * time.Millisecond // for all attempts together

var isTest = os.Getenv("CHECKOUT_TEST") == "1" // refuses unknown fields, panics in place of fallback rates

// One for the process: it keeps its connections. The server closes an idle one after 8 s.
var client = &http.Client{Transport: &http.Transport{IdleConnTimeout: 5 * time.Second, MaxIdleConnsPerHost: 16}}

// One attempt; without an answer the status is 0 and the text says why.
func ask(ctx context.Context, body []byte, traceparent string) (int, http.Header, string) {
	url, source := os.Getenv("RATEWRIGHT_URL")+"/api/simulate?fields=rates", "live"
	if isTest {
		url, source = url+"&strict=true", "test"
	}
	request, err := http.NewRequestWithContext(ctx, "POST", url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err.Error()
	}
	request.Header = http.Header{"Authorization": {"Bearer " + os.Getenv("RATEWRIGHT_KEY")}, // may simulate
		"Content-Type": {"application/json"}, "Traceparent": {traceparent}, "X-Simulation-Source": {source}}
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil, err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil, err.Error()
	}
	return answer.StatusCode, answer.Header, string(text)
}

// The source is live, fallback, or none for a cart that needs no shipping. Live without rates: no shipping there.
func ratesFor(body []byte, traceparent string) (string, Rates) {
	var cart Cart
	if json.Unmarshal(body, &cart) == nil && !cart.needsShipping() {
		return "none", Rates{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	end, _ := ctx.Deadline()
	for attempt := 1; ; attempt++ {
		status, told, text := ask(ctx, body, traceparent)
		requestId, answer := told.Get("X-Request-Id"), struct{ Rates Rates }{}
		if status == 200 && json.Unmarshal([]byte(text), &answer) == nil && answer.Rates != nil {
			if unknown := told.Get("X-Unknown-Fields"); unknown != "" {
				log.Printf("unknown fields %s (request %s)", unknown, requestId)
			}
			return "live", answer.Rates
		}
		wait, err := time.ParseDuration("0" + told.Get("Retry-After") + "s") // a date, as of proxies, is too late
		mayMend := status == 0 || status == 429 || status == 500 || status >= 502 && status <= 504
		if attempt == 1 && mayMend && err == nil && time.Until(end) > wait {
			time.Sleep(wait + time.Duration(time.Now().UnixNano()%50)*time.Millisecond)
			continue
		}
		if isTest {
			log.Panicf("%d %s", status, text)
		}
		log.Printf("%d %.500s (request %s)", status, text, requestId)
		return "fallback", cart.fallbackRates()
	}
}
