import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permits } from '../../../src/engine/domain/permission.ts';
import { isDocumented } from '../../../src/front/http/openapi/openapi.ts';
import { ID_SEGMENT, SHOP_SEGMENT } from '../../../src/front/http/route.ts';
import { createRouteMatcher } from '../../../src/front/http/route-matcher.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';

const routes = createRouteTable({ itemsMax: 10 });
const match = createRouteMatcher(routes);

test('every path of every row leads to it, with the id still encoded', () => {
  for (const route of routes) {
    for (const path of route.paths) {
      const found = match(route.verb, path.replace(ID_SEGMENT, 'a%20b').replace(SHOP_SEGMENT, 'c%20d'));
      assert.equal(found?.route, route);
      assert.equal(found?.idSegment, path.endsWith(ID_SEGMENT) ? 'a%20b' : null);
      assert.equal(found?.shopSegment, path.includes(SHOP_SEGMENT) ? 'c%20d' : null);
    }
  }
});

test('names of operations are unique, and an id stands only at the end of a path', () => {
  const operations = routes.filter(isDocumented);
  assert.equal(new Set(operations.map(({ name }) => name)).size, operations.length);
  for (const path of routes.flatMap(({ paths }) => paths)) {
    assert.match(path, /^(?:\/|(?:\/operator\/shops\/:shopId)?(?:\/[\w.-]+)*(?:\/:id)?)$/);
  }
});

test('a row that addresses a record names its kind and has the id in its path', () => {
  for (const route of routes) {
    const takesId = route.paths.some((path) => path.endsWith(ID_SEGMENT));
    const addressesOne = route.kind === 'callback' || (route.kind === 'shop' && route.target !== undefined);
    assert.equal(addressesOne, takesId, route.name);
  }
});

/** Routes with a body that write nothing. */
const ASKED_BY_POST = ['simulate', 'simulateBatch', 'sweep'];

test('writes need more than the permission read, except those with permissions by action', () => {
  for (const route of routes) {
    if (route.kind !== 'shop') continue;
    assert.equal(route.isWrite, route.verb !== 'GET' && !ASKED_BY_POST.includes(route.name), route.name);
    assert.ok(!route.isWrite || permits(route.permission, 'write') || route.permissionByAction !== undefined);
  }
});

test('two rows with the same verb and path throw', () => {
  assert.throws(() => createRouteMatcher([...routes, ...routes.slice(0, 1)]), /two routes for GET/);
});

test('names of built-in object properties are not paths', () => {
  for (const verb of ['GET', 'constructor', '__proto__']) {
    for (const path of ['constructor', '/__proto__', '', '//']) assert.equal(match(verb, path), undefined);
  }
});
