/**
 * Maintenance by several nodes: one node at a time removes old history, and a damaged record of a mirror is read
 * again.
 */
import assert from 'node:assert/strict';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import type { PlanTable } from '../../../src/engine/domain/plan.ts';
import { Retention } from '../../../src/shop/actor/upkeep.ts';
import { recoverShop } from '../../../src/shop/reader/recovery.ts';
import type { Authority } from '../../../src/store/log/authority.ts';
import { openPostgresAuthority } from '../../../src/store/log/postgres/postgres-authority.ts';
import type { SharedNode } from '../../../src/store/node/shared-node.ts';
import { readText } from '../../house/project-files.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { nodeOn } from './mirrored-log-stage.ts';
import {
  damage,
  makeGroup,
  type NodeStage,
  type NodeTest,
  numberIn,
  simulate,
  threeOf,
  versionOf,
  whenTaken,
} from './node-failures.ts';

const SHOP = 'shop_demo';
const DAY_MS = 24 * 3_600_000;

/** A node in this process that can remove old history. The demo shop is in its mirror. */
interface RetainingNode {
  readonly authority: Authority;
  readonly node: SharedNode;
  readonly retention: Retention;
}

async function retainingNodeOn(url: string, authorities: Authority[]): Promise<RetainingNode> {
  const authority = await openPostgresAuthority({ url, copies: 'managed' });
  authorities.push(authority);
  const node = nodeOn({ folder: newLogFolder(), authority });
  await node.node.follower.mirrorTail(SHOP);
  const retention = new Retention({
    log: node.log,
    plans: JSON.parse(readText('data/plans.json')) as PlanTable,
    // By this clock all records are older than any plan keeps them.
    clock: { nowMs: () => Date.now() + 400 * DAY_MS },
    logger: silentLogger,
    metrics: createMetrics(),
    loadedPlan: () => undefined,
    bringUpToDate: (shopId) => node.node.follower.mirrorTail(shopId),
  });
  return { authority, node, retention };
}

const versionIn = async ({ node }: RetainingNode): Promise<string | undefined> =>
  (await recoverShop(node.log, SHOP))?.state.version.id;

export function sharedUpkeep(test: NodeTest, stage: () => NodeStage): void {
  test('when a record in the mirror of a serving node is damaged, one request fails and the node reads the shop from the database again', async () => {
    const [node] = threeOf(stage());
    const made = await makeGroup(node.server, 'damaged later');
    assert.equal((await makeGroup(node.server, 'after the damage')).status, 201);
    const newest = versionOf(await simulate(node.server));
    damage(node, 'damaged later');
    const read = () => node.server.call(`/api/versions/${String(versionOf(made))}`);
    const met = await read();
    assert.equal(met.status, 500, met.text);
    assert.match(met.text, /damaged at record \d+"/);
    const again = await whenTaken(read);
    assert.equal(again.status, 200, again.text);
    assert.equal(versionOf(await simulate(node.server)), newest);
    assert.equal(await numberIn(node.server, 'mirrors_damaged'), 1);
    assert.match(node.server.output.stderr, /"mirror\.damaged"/);
  });

  test('one node at a time removes old history, from the database and then from its mirror; all nodes keep serving and writing', async (context) => {
    const { database, nodes } = stage();
    const authorities: Authority[] = [];
    context.after(() => Promise.all(authorities.map((authority) => authority.close())));
    const open = () => retainingNodeOn(database.url, authorities);
    const [one, other] = [await open(), await open()];
    const newest = await versionIn(one);
    const hasRun = await one.authority.alone('retention', async () => {
      assert.equal(await other.authority.alone('retention', assert.fail), false);
      await one.retention.run();
    });
    assert.equal(hasRun, true);
    const removed = one.node.log.removedUpTo(SHOP);
    assert.ok(removed > 0);
    assert.equal(other.node.log.removedUpTo(SHOP), 0);
    const [there] = await database.query(
      `SELECT h.removed::int, (SELECT count(*)::int FROM rw_records r WHERE r.shop = h.shop) AS records,
        (h.seq - h.removed)::int AS behind FROM rw_heads h WHERE h.shop = $1`,
      [SHOP],
    );
    assert.equal(there?.['removed'], removed);
    assert.equal(there?.['records'], there?.['behind']);

    assert.equal(await other.authority.alone('retention', () => other.retention.run()), true);
    const restarted = await open();
    for (const each of [one, other, restarted]) {
      assert.equal(each.node.log.removedUpTo(SHOP), removed);
      assert.equal(await versionIn(each), newest);
    }
    for (const [index, { server }] of nodes.entries()) {
      const written = await makeGroup(server, `after the removal ${index}`);
      assert.equal(written.status, 201, written.text);
      for (const reader of nodes) assert.equal(versionOf(await simulate(reader.server)), versionOf(written));
    }
  });
}
