/** Upkeep of several nodes: old history is removed by one node at a time, and a damaged mirror is read again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Retention } from '../../src/actor/upkeep.ts';
import type { PlanTable } from '../../src/domain/plan.ts';
import type { Authority } from '../../src/log/authority.ts';
import { openPostgresAuthority } from '../../src/log/postgres/postgres-authority.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import type { SharedNode } from '../../src/node/shared-node.ts';
import { WorkSlices } from '../../src/pace/work-slices.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { recoverShop } from '../../src/shop/recovery.ts';
import { readText } from '../house/project-files.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { nodeOn } from './mirrored-log-stage.ts';
import {
  damage,
  makeGroup,
  type NodeStage,
  numberIn,
  simulate,
  threeOf,
  versionOf,
} from './node-failures.ts';

const SHOP = 'shop_demo';
const DAY_MS = 24 * 3_600_000;

/** A node in this process, with the demo shop in its mirror. */
interface Keeper {
  readonly authority: Authority;
  readonly node: SharedNode;
  readonly retention: Retention;
}

async function keeperOn(url: string, authorities: Authority[]): Promise<Keeper> {
  const authority = await openPostgresAuthority({ url, copies: 'managed' });
  authorities.push(authority);
  const node = nodeOn({ folder: newLogFolder(), authority });
  await node.node.follower.mirrorTail(SHOP);
  const retention = new Retention({
    log: node.log,
    plans: JSON.parse(readText('data/plans.json')) as PlanTable,
    // All records are older than any plan keeps them.
    clock: { nowMs: () => Date.now() + 400 * DAY_MS },
    logger: silentLogger,
    metrics: createMetrics(),
    loadedPlan: () => undefined,
    bringUpToDate: (shopId) => node.node.follower.mirrorTail(shopId),
  });
  return { authority, node, retention };
}

const versionIn = async ({ node }: Keeper): Promise<string | undefined> =>
  (await recoverShop(node.log, SHOP, new WorkSlices()))?.state.version.id;

export function sharedUpkeep(skip: string | false, stage: () => NodeStage): void {
  test('a record that is damaged in the mirror of a serving node is read from the database again', {
    skip,
  }, async () => {
    const [node] = threeOf(stage());
    const made = await makeGroup(node.server, 'damaged later');
    assert.equal((await makeGroup(node.server, 'after the damage')).status, 201);
    const newest = versionOf(await simulate(node.server));
    damage(node, 'damaged later');
    const read = () => node.server.call(`/api/versions/${String(versionOf(made))}`);
    const met = await read();
    assert.equal(met.status, 500, met.text);
    assert.match(met.text, /damaged at record \d+"/);
    assert.equal((await read()).status, 200);
    assert.equal(versionOf(await simulate(node.server)), newest);
    assert.equal(await numberIn(node.server, 'mirrors_damaged'), 1);
    assert.match(node.server.output.stderr, /"mirror\.damaged"/);
  });

  test('one node at a time removes old history, from the database and then from its mirror; all nodes go on', {
    skip,
  }, async (context) => {
    const { database, nodes } = stage();
    const authorities: Authority[] = [];
    context.after(() => Promise.all(authorities.map((authority) => authority.close())));
    const open = () => keeperOn(database.url, authorities);
    const [one, other] = [await open(), await open()];
    const newest = await versionIn(one);
    const isIn = await one.authority.alone('retention', async () => {
      assert.equal(await other.authority.alone('retention', assert.fail), false);
      await one.retention.run();
    });
    assert.equal(isIn, true);
    const removed = one.node.log.removedUpTo(SHOP);
    assert.ok(removed > 0);
    assert.equal(other.node.log.removedUpTo(SHOP), 0);
    const [there] = await database.query(
      `SELECT h.removed::int, (SELECT count(*)::int FROM rw_records r WHERE r.shop = h.shop) AS records,
        (h.seq - h.removed)::int AS behind FROM rw_heads h WHERE h.shop = $1`,
      [SHOP],
    );
    // One record more when the version in force at the beginning is kept before it.
    assert.equal(there?.['removed'], removed);
    assert.ok([0, 1].includes(Number(there?.['records']) - Number(there?.['behind'])), JSON.stringify(there));

    assert.equal(await other.authority.alone('retention', () => other.retention.run()), true);
    const anew = await open();
    for (const keeper of [one, other, anew]) {
      assert.equal(keeper.node.log.removedUpTo(SHOP), removed);
      assert.equal(await versionIn(keeper), newest);
    }
    for (const [index, { server }] of nodes.entries()) {
      const written = await makeGroup(server, `after the removal ${index}`);
      assert.equal(written.status, 201, written.text);
      for (const { server: each } of nodes) assert.equal(versionOf(await simulate(each)), versionOf(written));
    }
  });
}
