<?php
// Rates for a checkout: asked for with a deadline, and taken from a file when there is no answer.
// Needs PHP 8.2 with its curl extension: RATEWRIGHT_KEY=rw_... php checkout.php CART.json...
declare(strict_types=1);

define('DEADLINE_MS', (int) (getenv('CHECKOUT_DEADLINE_MS') ?: 800)); // for all attempts together
const IDLE_S = 5; // the server closes an idle connection after 8 s
const RETRIED = [0, 429, 500, 502, 503, 504]; // what a second attempt can mend; 0: no answer
/** Refuses unknown fields, throws in place of fallback rates, and is counted in no figure of the shop. */
define('IS_TEST', getenv('CHECKOUT_TEST') === '1');
/** By currency, then by country of the destination; `*` has the rates of the others. */
define('FALLBACK', json_decode(file_get_contents(__DIR__ . '/fallback-rates.json'), true));

function log_line(string $level, array $fields): void {
    file_put_contents('php://stderr', json_encode(['level' => $level] + $fields) . "\n");
}

/** One attempt: status, headers with names in lower case, text; status 0 and the reason when there is no answer. */
function ask(string $body, string $traceparent, int $milliseconds): array {
    static $curl = null; // keeps its connection for as long as the process of PHP lives
    $curl ??= curl_init();
    $headers = [];
    $url = rtrim(getenv('RATEWRIGHT_URL') ?: 'http://127.0.0.1:8080', '/') . '/api/simulate?fields=rates';
    curl_setopt_array($curl, [
        CURLOPT_URL => $url . (IS_TEST ? '&strict=true' : ''),
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_HTTPHEADER => [
            'Authorization: Bearer ' . getenv('RATEWRIGHT_KEY'), // with the permission simulate
            'Content-Type: application/json',
            'Expect:', // otherwise curl waits a second before it sends a large cart
            'X-Simulation-Source: ' . (IS_TEST ? 'test' : 'live'),
            "traceparent: $traceparent",
        ],
        CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$headers): int {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
            return strlen($line);
        },
        CURLOPT_MAXAGE_CONN => IDLE_S,
        CURLOPT_NOSIGNAL => true,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT_MS => max(1, $milliseconds),
    ]);
    $text = curl_exec($curl);
    return $text === false ? [0, [], curl_error($curl)] : [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $headers, $text];
}

/** `source` is live, fallback, or none for a cart that needs no shipping. Live without rates: no shipping there. */
function rates_for(array $cart, ?string $traceparent = null): array {
    $shipped = array_filter($cart['items'] ?? [], fn($item) => ($item['requiresShipping'] ?? true) !== false);
    if ($shipped === [] && ($cart['items'] ?? []) !== []) return ['source' => 'none', 'rates' => []];
    $traceparent ??= '00-' . bin2hex(random_bytes(16)) . '-' . bin2hex(random_bytes(8)) . '-01';
    $now = fn(): int => intdiv(hrtime(true), 1_000_000);
    $end = $now() + DEADLINE_MS;
    for ($attempt = 1; ; $attempt++) {
        [$status, $headers, $text] = ask(json_encode($cart), $traceparent, $end - $now());
        $rates = $status === 200 ? json_decode($text, true)['rates'] ?? null : null;
        if ($rates !== null) {
            $told = array_intersect_key($headers, ['x-unknown-fields' => 1, 'x-request-id' => 1]);
            if (isset($told['x-unknown-fields'])) log_line('warn', $told);
            return ['source' => 'live', 'rates' => $rates];
        }
        $later = $headers['retry-after'] ?? '0'; // a date, which proxies may send, is too late for a checkout
        $wait = max(random_int(0, 50), ctype_digit($later) ? 1000 * (int) $later : DEADLINE_MS);
        if ($attempt === 2 || !in_array($status, RETRIED, true) || $now() + $wait >= $end) break;
        usleep($wait * 1000);
    }
    $problem = ['status' => $status, 'answer' => substr($text, 0, 500), 'requestId' => $headers['x-request-id'] ?? null];
    if (IS_TEST) throw new RuntimeException(json_encode($problem));
    log_line('error', $problem);
    $byCountry = FALLBACK[$cart['currency'] ?? ''] ?? [];
    $country = strtoupper($cart['destination']['country'] ?? '');
    return ['source' => 'fallback', 'rates' => $byCountry[$country] ?? $byCountry['*'] ?? []];
}

foreach (array_slice($argv, 1) as $path) {
    $cart = json_decode(file_get_contents($path), true, 512, JSON_THROW_ON_ERROR);
    echo json_encode(rates_for($cart, getenv('TRACEPARENT') ?: null)), "\n";
}
