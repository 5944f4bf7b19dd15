/**
 * Nodes with live leases on three real PostgreSQL servers whose primary is killed or stopped and replaced, again and
 * again. A long run; `RATEWRIGHT_NODE_FAILOVERS=200 npm test -- node-failovers` does so many failovers.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { postgresMissing } from '../../support/postgres/postgres-programs.ts';
import { PostgresTrio } from '../../support/postgres/postgres-trio.ts';
import { FailoverStage, failoversBelow, ShopWriter } from './failovers-below-nodes.ts';

const skip = postgresMissing();
const FAILOVERS = Number(process.env['RATEWRIGHT_NODE_FAILOVERS'] ?? 3);

let trio: PostgresTrio;
let stage: FailoverStage;

before(async () => {
  if (skip !== false) return;
  trio = await PostgresTrio.start();
  stage = await FailoverStage.start(trio, 3);
});

after(async () => {
  await stage?.nodes.discard();
  await trio?.discard();
});

test(`${FAILOVERS} failovers below three nodes: nothing is lost or twice there, and no answer without a mark is old`, {
  skip,
  timeout: 12 * 60 * 60 * 1_000,
}, async (context) => {
  const plan = { failovers: FAILOVERS, shops: 3 };
  await trio.rejoin(await failoversBelow(stage, plan, (text) => context.diagnostic(text)));
});

test('without a quorum answers are marked, writes are unknown, and what was sent is stored once it is back', {
  skip,
}, async () => {
  const writer = await ShopWriter.ofNewShop(stage, 'Without a quorum');
  await writer.write(0);
  await trio.detachStandbys();
  const unknown = await writer.send(stage.serverAt(0), 'name-1');
  assert.equal(unknown.status, 500, unknown.text);
  await stage.untilReadyz(503);
  assert.ok(Number((await writer.ask(stage.serverAt(0))).headers['x-config-age']) >= 1);
  const held = await writer.send(stage.serverAt(0), 'held');
  assert.equal(held.status, 503, held.text);
  await trio.attachStandbys();
  await stage.untilReadyz(200);
  await writer.write(1);
  await writer.checkAll();
});
