import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALLS } from '../../../src/front/client/api-types.ts';
import { type CallRow, ID_SEGMENT } from '../../../src/front/client/call-table.ts';
import { guardedCalls } from '../../../src/front/console/guarded-calls.ts';
import { requestsOf } from '../../../src/front/console/parts/curl.ts';

const CART = { destination: { country: 'DE' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
const GUARDS = { ifMatch: 'version_7', idempotencyKey: 'once', mayHaveHappened: false };

test('every write of the API carries both guards, whatever else it is given', async () => {
  const rows = Object.entries<CallRow>(CALLS).filter(([, { isWrite }]) => isWrite);
  const requests = await requestsOf('', async (calls) => {
    const writes = guardedCalls(calls).writesWith(GUARDS) as unknown as Readonly<
      Record<string, (...args: readonly unknown[]) => Promise<unknown>>
    >;
    assert.deepEqual(
      Object.keys(writes),
      rows.map(([name]) => name),
    );
    for (const [name, { path, hasBody }] of rows) {
      const args = [...(path.endsWith(ID_SEGMENT) ? ['id_1'] : []), ...(hasBody ? [{ name: 'Alps' }] : [])];
      await writes[name]?.(...args);
      await writes[name]?.(...args, { batchId: 'b1', ifMatch: 'another', idempotencyKey: null });
    }
  });
  assert.equal(requests.length, 2 * rows.length);
  requests.forEach(({ path, headers, body }, at) => {
    const [, row] = rows[Math.floor(at / 2)] ?? [];
    assert.equal(path, row?.path.replace(ID_SEGMENT, 'id_1'));
    assert.equal(body, row?.hasBody ? '{"name":"Alps"}' : null);
    const { 'content-type': _, ...others } = headers;
    assert.deepEqual(others, {
      ...{ 'idempotency-key': 'once', 'if-match': '"version_7"' },
      ...(at % 2 === 0 ? {} : { 'x-batch-id': 'b1' }),
    });
  });
});

test('a cart that the console tries is no traffic of the shop', async () => {
  const requests = await requestsOf('', async (calls) => {
    const { reads } = guardedCalls(calls);
    await reads.simulate(CART, { query: { explain: 'full' } });
    await reads.simulateBatch({ requests: [CART] });
    await reads.listZones();
  });
  assert.deepEqual(
    requests.map(({ path, headers }) => [path, headers['x-simulation-source']]),
    [
      ['/api/simulate?explain=full', 'test'],
      ['/api/simulate/batch', 'test'],
      ['/api/zones', undefined],
    ],
  );
});
