/** The span of a request, with the names of OpenTelemetry's semantic conventions for HTTP servers. */
import { ATTRIBUTES, type Span, type Tracer } from '../../base/tracing/span.ts';
import { parseTraceParent } from '../../base/tracing/trace-parent.ts';
import type { Exchange } from './exchange.ts';
import type { RequestHead } from './request-head.ts';
import { ID_SEGMENT, OPERATED_SHOPS, SHOP_SEGMENT } from './route.ts';

/** What a path holds where its route has a parameter; null where it has none. */
interface PathMatch {
  readonly idSegment: string | null;
  readonly shopSegment: string | null;
}

const SERVER_FAULT_STATUS_MIN = 500;

/** Any other is `_OTHER`, because a client may send any word. */
const KNOWN_METHODS: readonly string[] = [
  ...['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'],
];

/** `match` is undefined for a path without a route. */
export function beginRequestSpan(
  tracer: Tracer,
  { verb, path, traceParent }: RequestHead,
  match: PathMatch | undefined,
): Span {
  const isKnown = KNOWN_METHODS.includes(verb);
  const route = match === undefined ? '' : routeOf(path, match);
  const name = `${isKnown ? verb : 'HTTP'} ${route}`.trimEnd();
  const attributes = {
    'http.request.method': isKnown ? verb : '_OTHER',
    'url.scheme': 'http',
    'url.path': path,
    ...(isKnown ? {} : { 'http.request.method_original': verb }),
    ...(route === '' ? {} : { 'http.route': route }),
  };
  return tracer.begin(name, attributes, parseTraceParent(traceParent));
}

function routeOf(path: string, { idSegment, shopSegment }: PathMatch): string {
  const end = idSegment === null ? path : `${path.slice(0, path.length - idSegment.length)}${ID_SEGMENT}`;
  if (shopSegment === null) return end;
  return OPERATED_SHOPS + SHOP_SEGMENT + end.slice(OPERATED_SHOPS.length + shopSegment.length);
}

/** A client that left before the answer is a fault of nobody, but the request has failed. */
export function endRequestSpan(span: Span, exchange: Exchange): void {
  const { requestId, caller, status, refusal } = exchange;
  const attributes = {
    ...(status === 0 ? {} : { 'http.response.status_code': status }),
    [ATTRIBUTES.requestId]: requestId,
    ...(caller === null ? {} : { [ATTRIBUTES.shopId]: caller.shopId }),
    ...(caller === null || caller.keyId === null ? {} : { [ATTRIBUTES.keyId]: caller.keyId }),
    ...(refusal === null ? {} : { [ATTRIBUTES.errorCode]: refusal.code }),
  };
  span.end(attributes, faultOf(exchange));
}

function faultOf({ status, statusText, refusal }: Exchange): string | null {
  if (status === 0) return statusText;
  return status < SERVER_FAULT_STATUS_MIN ? null : (refusal?.code ?? statusText);
}
