import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALLS, type CallRow } from '../../src/client/call-table.ts';
import { bodyOf, ID_SEGMENT, type Route } from '../../src/http/route.ts';
import { createRouteTable } from '../../src/http/route-table.ts';

/**
 * Routes that are there for other programs: what a shop system calls with a signature instead of a key, and
 * the parts of a page for a browser.
 */
const isForOthers = (route: Route): boolean =>
  route.kind === 'callback' || (route.kind === 'public' && !['json', 'metrics'].includes(route.type));

const all = createRouteTable({ itemsMax: 1_000 });
const routes = all.filter((route) => !isForOthers(route));
const calls: Readonly<Record<string, CallRow>> = CALLS;

/** Schemas are compared as what they accept. */
const schemaText = (schema: unknown): string => JSON.stringify(schema);

/** The path that the client takes: with the id where there is one. */
const pathOf = ({ paths }: Route): string => paths.find((path) => path.endsWith(ID_SEGMENT)) ?? paths[0];

test('the client has one method for each route of the table, and no other', () => {
  assert.deepEqual(Object.keys(calls).sort(), routes.map(({ name }) => name).sort());
});

test('only routes for a browser and for shop systems have no method', () => {
  for (const { name, paths } of all.filter(isForOthers))
    assert.match(paths[0], /^\/(?:docs|carriers)\b/, name);
});

test('a method goes where its route is, with the body and the parameters that the route takes', () => {
  for (const route of routes) {
    const call = calls[route.name];
    assert.ok(call !== undefined, route.name);
    assert.equal(call.verb, route.verb, route.name);
    assert.equal(call.path, pathOf(route), route.name);
    assert.equal(call.isWrite, route.kind === 'shop' && route.isWrite, route.name);
    const query = Object.keys(route.query).filter((name) => name !== 'id');
    assert.deepEqual([...call.query].sort(), query.sort(), route.name);
    const body = bodyOf(route);
    // A DELETE names its record by the path.
    if (call.body === null) assert.ok(body === undefined || body.isOptional, route.name);
    else assert.equal(schemaText(call.body), schemaText(body?.schema), route.name);
  }
});

test('the types of answers follow from the schemas that the routes document', () => {
  for (const route of routes) {
    if (route.kind === 'public') continue;
    assert.equal(schemaText(calls[route.name]?.answer), schemaText(route.success.schema), route.name);
  }
});
