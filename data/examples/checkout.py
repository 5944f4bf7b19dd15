"""Rates for a checkout: asked for with a deadline, and taken from a file when there is no answer."""
# Needs Python 3.9 and nothing else: RATEWRIGHT_KEY=rw_... python3 checkout.py CART.json...
import http.client, json, os, random, secrets, socket, sys, threading, time
from pathlib import Path
from urllib.parse import urlsplit

DEADLINE_S = int(os.environ.get("CHECKOUT_DEADLINE_MS", "800")) / 1000  # for all attempts together
RETRIED = (429, 500, 502, 503, 504)  # what a second attempt can mend
IS_TEST = os.environ.get("CHECKOUT_TEST") == "1"  # refuses unknown fields, raises in place of fallback rates
URL = urlsplit(os.environ.get("RATEWRIGHT_URL", "http://127.0.0.1:8080"))
PATH = URL.path.rstrip("/") + "/api/simulate?fields=rates" + ("&strict=true" if IS_TEST else "")
HEADERS = {"Authorization": "Bearer " + os.environ.get("RATEWRIGHT_KEY", ""),  # with the permission simulate
           "Content-Type": "application/json", "X-Simulation-Source": "test" if IS_TEST else "live"}
FALLBACK = json.loads(Path(__file__).with_name("fallback-rates.json").read_text("utf-8"))  # by currency and country
kept = threading.local()  # one connection for each thread


def log(**fields):
    print(json.dumps(fields), file=sys.stderr)


def ask(body, headers, end):
    """One attempt: status, headers, text. OSError or HTTPException when there is no answer before `end`."""
    seconds = max(0.001, end - time.monotonic())
    if not hasattr(kept, "connection"):
        kind = http.client.HTTPSConnection if URL.scheme == "https" else http.client.HTTPConnection
        kept.connection, kept.used = kind(URL.hostname, URL.port), 0
    if time.monotonic() - kept.used > 5:  # the server closes an idle connection after 8 s
        kept.connection.close()
    if kept.connection.sock is None:
        kept.connection.timeout = seconds
        kept.connection.connect()
    kept.connection.sock.settimeout(seconds)
    # That time begins again with each part of an answer, so the whole answer has one too.
    cut = threading.Timer(seconds, kept.connection.sock.shutdown, [socket.SHUT_RDWR])
    cut.start()
    try:
        kept.connection.request("POST", PATH, body, headers)
        answer = kept.connection.getresponse()
        text, kept.used = answer.read(), time.monotonic()
        return answer.status, answer.headers, text.decode()
    finally:
        cut.cancel()


def rates_for(cart, traceparent=None):
    """`source` is live, fallback, or none for a cart that needs no shipping. Live without rates: no shipping there."""
    if cart.get("items") and all(item.get("requiresShipping") is False for item in cart["items"]):
        return {"source": "none", "rates": []}
    traceparent = traceparent or f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"
    end = time.monotonic() + DEADLINE_S
    for attempt in (1, 2):
        wait = random.uniform(0, 0.05)
        try:
            status, told, text = ask(json.dumps(cart), {**HEADERS, "traceparent": traceparent}, end)
            if status == 200:
                if "X-Unknown-Fields" in told:
                    log(level="warn", unknownFields=told["X-Unknown-Fields"], requestId=told["X-Request-Id"])
                return {"source": "live", "rates": json.loads(text)["rates"]}
            problem = {"status": status, "answer": text[:500], "requestId": told["X-Request-Id"]}
            later = told.get("Retry-After", "0")  # a date, which proxies may send, is too late for a checkout
            wait = max(wait, int(later) if later.isdigit() and status in RETRIED else DEADLINE_S)
        except (OSError, http.client.HTTPException) as error:
            kept.connection.close()
            problem = {"message": repr(error)}
        except (ValueError, KeyError, TypeError) as error:
            problem, wait = {"message": f"not an answer of this API: {error!r}"}, DEADLINE_S
        if attempt == 2 or time.monotonic() + wait >= end:
            break
        time.sleep(wait)
    if IS_TEST:
        raise RuntimeError(problem)
    log(level="error", **problem)
    rates, country = FALLBACK.get(cart.get("currency"), {}), (cart.get("destination") or {}).get("country")
    return {"source": "fallback", "rates": rates.get(str(country).upper(), rates.get("*", []))}


for path in sys.argv[1:]:
    print(json.dumps(rates_for(json.loads(Path(path).read_text("utf-8")), os.environ.get("TRACEPARENT"))))
