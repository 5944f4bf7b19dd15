import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { CALLS, OPERATOR_CALLS } from '../../../src/front/client/api-types.ts';
import type { CallRow } from '../../../src/front/client/call-table.ts';
import {
  bodyOf,
  ID_SEGMENT,
  isForOperators,
  type Route,
  SHOP_SEGMENT,
} from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';

/**
 * Routes for other callers: callbacks of shop systems, which have a signature instead of a key, and the parts of
 * pages for browsers.
 */
const isForOthers = (route: Route): boolean =>
  route.kind === 'callback' || (route.kind === 'public' && !['json', 'metrics'].includes(route.type));

const all = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });
const routes = all.filter((route) => !isForOthers(route));
const calls: Readonly<Record<string, CallRow>> = { ...CALLS, ...OPERATOR_CALLS };

/** The path that the client sends, with an id if the route has one. */
const pathOf = ({ paths }: Route): string =>
  (paths.find((path) => path.endsWith(ID_SEGMENT)) ?? paths[0]).replace(SHOP_SEGMENT, ID_SEGMENT);

test('the client has one method for each route of the table, and no other', () => {
  assert.deepEqual(Object.keys(calls).sort(), routes.map(({ name }) => name).sort());
  const ofOperators = routes.filter(isForOperators).map(({ name }) => name);
  assert.deepEqual(Object.keys(OPERATOR_CALLS).sort(), ofOperators.sort());
});

test('only routes for a browser and for shop systems have no method', () => {
  for (const { name, paths } of all.filter(isForOthers))
    assert.match(paths[0], /^\/(?:docs|console|carriers)\b/, name);
});

test('a method has the verb and path of its route, and a body if the route takes one', () => {
  for (const route of routes) {
    const call = calls[route.name];
    assert.ok(call !== undefined, route.name);
    assert.equal(call.verb, route.verb, route.name);
    assert.equal(call.path, pathOf(route), route.name);
    assert.equal(call.isSimulation, route.kind === 'shop' && route.counts === 'simulations', route.name);
    assert.equal(call.isWrite, 'isWrite' in route && route.isWrite, route.name);
    const body = bodyOf(route);
    // A DELETE names its record by the path.
    assert.equal(call.hasBody, body !== undefined && !body.isOptional, route.name);
  }
});

test('a method reads the documented answers of its route: text or JSON, and statuses other than 2xx', () => {
  for (const route of routes) {
    const call = calls[route.name];
    const isText = 'type' in route && route.type !== 'json';
    assert.equal(call?.isText, isText, route.name);
    const others = route.kind === 'public' ? Object.keys(route.otherStatuses ?? {}).map(Number) : [];
    assert.deepEqual(call?.otherStatuses, others, route.name);
  }
});
