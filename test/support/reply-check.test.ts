/** The check of every reply in every test detects wrong replies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import { createRouteTable } from '../../src/front/http/route-table.ts';
import { containersOf } from './odd-bodies.ts';
import { checkRawReplies, checkReply } from './reply-check.ts';

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT }).filter(({ kind }) => kind !== 'public');

const pathOf = (path: string): string => path.replace(':id', 'x');

test('the documented answer of every route passes; an additional field anywhere does not', () => {
  assert.ok(routes.length > 20);
  for (const { verb, paths, success } of routes) {
    // A stream of bytes has no fields.
    if (success.status === 200 && typeof success.example !== 'object') continue;
    const path = pathOf(paths[0]);
    const text = JSON.stringify(success.example);
    checkReply(verb, path, success.status, text);
    const copy = JSON.parse(text) as object;
    let refused = 0;
    const containers = containersOf(copy).filter((one) => !Array.isArray(one));
    for (const container of containers) {
      container['unlisted'] = 1;
      try {
        checkReply(verb, path, success.status, JSON.stringify(copy));
      } catch {
        refused++;
      }
      Reflect.deleteProperty(container, 'unlisted');
    }
    // Configs of rate types and maps by id allow any field; the objects around them do not.
    assert.ok(refused > 0 && refused >= containers.length / 2, `${verb} ${path}: ${refused}`);
    assert.throws(() => checkReply(verb, path, success.status === 200 ? 201 : 200, text));
  }
});

const refusal = (code: string, message: string, more = {}): string =>
  JSON.stringify({ error: { code, message, ...more } });

const BAD: readonly (readonly [status: number, text: string])[] = [
  [404, '{}'],
  [404, refusal('NOT_FOUND', 'Group not found', { stack: 'x' })],
  [400, refusal('NOT_FOUND', 'Group not found')],
  [500, refusal('INTERNAL_ERROR', 'RangeError: no')],
  [500, refusal('INTERNAL_ERROR', 'x at run (/srv/app/dist/src/front/main.js:1:1)')],
  [404, refusal('NO_SUCH_CODE', 'x')],
];

test('a refusal has the documented form and the status of its code, and contains no internals', () => {
  const good = refusal('NOT_FOUND', 'Group not found');
  checkReply('GET', '/api/groups/x', 404, good);
  for (const [status, text] of BAD)
    assert.throws(() => checkReply('GET', '/api/groups/x', status, text), assert.AssertionError);
  const raw = (status: number, text: string): string =>
    `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  checkRawReplies(raw(404, good) + raw(200, '{"any":1}') + raw(404, good).slice(0, -3));
  for (const [status, text] of BAD) {
    assert.throws(() => checkRawReplies(raw(404, good) + raw(status, text)), assert.AssertionError);
  }
});
