/**
 * What a write waits for the other nodes: the latency of 100 writes per second at one of three nodes, against that of
 * a node that is alone, over the same servers.
 */
import { recordLatencies } from '../http/latency.bench.ts';
import { askOnce, type MeasuredServer, targetOf } from '../http/measured-server.ts';
import { configure, startService } from '../http/server-start.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { type LoadTarget, writeBodies } from '../load/load-target.ts';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { makeTypical } from '../profiles/typical.ts';
import { editBodies } from '../store/writes.bench.ts';
import { nodeOf, withTrio } from './trio.ts';

const NODES = 3;
const WRITES_PER_SECOND = 100;
const CONNECTIONS = 64;
/** A round of the open loop has too few writes for a p99. */
const SECONDS_SHARE = 3;

const profile = makeTypical();

export const addedId = (quantile: 'p50' | 'p99'): string => `cluster/barrier/added/${quantile}`;

/** The first of so many nodes of a database. */
async function startNodes(part: PartRun, url: string, count: number): Promise<MeasuredServer> {
  const start = () => startService(part, part.folders.make('mirror'), nodeOf(url), 'any');
  const first = await start();
  await configure(first, profile);
  for (let at = 1; at < count; at++) {
    const other = await start();
    // Loads the shop into memory, so that this node takes part in each write.
    await askOnce(other, JSON.stringify(profile.requests[0]));
  }
  return first;
}

export const barrierPart: Part = {
  id: 'cluster/barrier',
  title: `Latency of ${WRITES_PER_SECOND} writes per second at one of ${NODES} nodes and at a node alone, open loop`,
  run: (part) =>
    withTrio(part, async (trio) => {
      const load = new LoadGenerator(part);
      part.step('starting nodes');
      const variants = [
        { id: 'alone', label: 'alone', server: await startNodes(part, trio.url, 1) },
        {
          id: 'three',
          label: 'one of three',
          server: await startNodes(part, await trio.newDatabase('three'), NODES),
        },
      ];
      const bodiesFile = writeBodies(part.folders.make('bodies'), 'edits', editBodies(profile));
      const { rounds, openLoopSeconds } = part.effort;
      const results = new Rounds();
      for (let round = 0; round <= rounds; round++) {
        const latencies: number[][] = [];
        for (const { id, label, server } of variants) {
          part.step(`${label} (round ${round} of ${rounds})`);
          const target: LoadTarget = { ...targetOf(server, bodiesFile), method: 'PUT', path: '/api/rules' };
          const stream = { name: label, target, perSecond: WRITES_PER_SECOND, connections: CONNECTIONS };
          const { streams } = await load.openLoop({
            streams: [stream],
            warmupSeconds: openLoopSeconds / 4,
            seconds: openLoopSeconds * SECONDS_SHARE,
            sleeps: true,
          });
          for (const measured of streams) {
            latencies.push([measured.p50Us, measured.p99Us]);
            if (round > 0) recordLatencies(results, `cluster/barrier/${id}`, label, measured);
          }
        }
        if (round === 0) continue;
        const [[p50 = 0, p99 = 0] = [], [p50OfThree = 0, p99OfThree = 0] = []] = latencies;
        results.add(addedId('p50'), 'added by the other nodes, p50', 'us', p50OfThree - p50);
        results.add(addedId('p99'), 'added by the other nodes, p99', 'us', p99OfThree - p99);
      }
      results.recordTo(part);
      part.note('The generator sends up to 2 ms late. "Added" is the difference of the two in one round.');
    }),
};
