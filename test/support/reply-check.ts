/**
 * The check of every reply of the service in every test: a success has exactly the documented fields of its route,
 * and a failure has the documented form and a message without internals.
 */

import assert from 'node:assert/strict';
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import { FAILURE_STATUS } from '../../src/engine/domain/failure.ts';
import { ErrorEnvelope } from '../../src/engine/wire/answer-schemas.ts';
import { compileSchema, type SchemaCheck } from '../../src/engine/wire/schema-check.ts';
import { openApiDocument } from '../../src/front/http/openapi/openapi.ts';
import { ID_SEGMENT, type Route, SHOP_SEGMENT } from '../../src/front/http/route.ts';
import { createRouteMatcher } from '../../src/front/http/route-matcher.ts';
import { createRouteTable } from '../../src/front/http/route-table.ts';

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });
const matchRoute = createRouteMatcher(routes);
const envelope = compileSchema(ErrorEnvelope);
const answers = new Map<Route, SchemaCheck<unknown>>();

type Responses = Readonly<Record<string, unknown>>;
const documented = openApiDocument(routes)['paths'] as Readonly<
  Record<string, Readonly<Record<string, { readonly responses: Responses }>>>
>;

const statuses = new Map<Route, readonly string[]>();

/** The statuses that the OpenAPI document names for a route. */
function documentedStatuses(route: Route): readonly string[] {
  const known = statuses.get(route);
  if (known !== undefined) return known;
  const operation =
    documented[route.paths[0].replace(ID_SEGMENT, '{id}').replace(SHOP_SEGMENT, '{shopId}')]?.[
      route.verb.toLowerCase()
    ];
  assert.ok(operation !== undefined);
  const found = Object.keys(operation.responses);
  statuses.set(route, found);
  return found;
}

/** Places in code, paths of files and names of errors, which must not be in a message. */
const INSIDE = /\bat \S+ \(|node_modules|node:internal|\bdist\/|\.[jt]s:\d|\b[A-Z]\w*Error\b/;

const STATUSES: readonly number[] = Object.values(FAILURE_STATUS);

/** Throws when the reply is not documented for the route. `path` may have a query. */
export function checkReply(verb: string, path: string, status: number, text: string): void {
  const [bare = ''] = path.split('?');
  const { route, shopSegment = null } = matchRoute(verb, bare) ?? {};
  const what = `${verb} ${bare} answered ${status}: ${text.slice(0, 300)}`;
  if (route?.kind === 'public') {
    const told = [route.success.status, ...Object.keys(route.otherStatuses ?? {}).map(Number)];
    assert.ok(told.includes(status) || STATUSES.includes(status), what);
    return;
  }
  if (verb === 'HEAD' || (route?.kind === 'operator' && route.type === 'bytes' && status === 200)) return;
  if (status === 304) {
    assert.equal(text, '', what);
    assert.ok(route !== undefined && documentedStatuses(route).includes('304'), what);
    return;
  }
  const body: unknown = JSON.parse(text);
  if (route?.kind === 'shop' && route.readAnswer !== undefined && status === 200) {
    assert.deepEqual(compileSchema(route.readAnswer.schema).defects(body, 3), [], what);
    return;
  }
  if (route !== undefined && status === route.success.status) {
    let answer = answers.get(route);
    if (answer === undefined) {
      answer = compileSchema(route.success.schema);
      answers.set(route, answer);
    }
    assert.deepEqual(answer.defects(body, 3), [], what);
    return;
  }
  // A shop that an operator names may be unknown, and the routes of operators closed.
  const isUnknownShop = shopSegment !== null && status === FAILURE_STATUS.NOT_FOUND;
  if (route !== undefined && !isUnknownShop)
    assert.ok(documentedStatuses(route).includes(String(status)), what);
  checkFailure(status, body, what);
}

/** Throws when a refusal does not have the documented form and the status of its code, or contains internals. */
function checkFailure(status: number, body: unknown, what: string): void {
  assert.deepEqual(envelope.defects(body, 3), [], what);
  const { error } = body as {
    readonly error: { readonly code: keyof typeof FAILURE_STATUS; readonly message: string };
  };
  assert.equal(status, FAILURE_STATUS[error.code], what);
  assert.doesNotMatch(error.message, INSIDE, what);
}

/** Statuses of public routes that are no failures of the request, such as that of a server that is stopping. */
const TOLD: readonly number[] = routes.flatMap((route) =>
  route.kind === 'public' ? Object.keys(route.otherStatuses ?? {}).map(Number) : [],
);

/** One answer in the bytes of a connection; its body may be incomplete. */
const RAW_ANSWER = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/g;

/** Throws when a complete refusal among the answers on a connection is wrong. */
export function checkRawReplies(text: string): void {
  for (const { 0: head, 1: code, 2: headers = '', index } of text.matchAll(RAW_ANSWER)) {
    const status = Number(code);
    const length = Number(/^content-length: (\d+)\r$/im.exec(headers)?.[1] ?? Number.NaN);
    const body = text.slice(index + head.length, index + head.length + length);
    // Refusals of the library's parser are not JSON.
    const isOurs = /^content-type: application\/json/im.test(headers);
    // An answer to HEAD has no body, even with a length: the next answer follows, or nothing.
    const isWhole = length > 0 && body.length >= length && !body.startsWith('HTTP/');
    if (status < 400 || TOLD.includes(status) || !isOurs || !isWhole) continue;
    checkFailure(status, JSON.parse(Buffer.from(body, 'latin1').toString()), body);
  }
}
