/**
 * Heavy carts among light ones: hundreds of items against hundreds of rules, some in a second. The light carts are what
 * is timed: alone, and with heavy ones that worker threads answer; the server and its threads have one core.
 *
 * The heavy carts' own load generator sleeps between them: two that watch the clock would take turns of milliseconds
 * on their core. It still reads megabytes there; the mix *bytes* measures what that costs the light carts: as many
 * answers of the same length, from a process on the server's core that sends fixed bytes.
 */
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import { evaluateToParts } from '../../src/engine/evaluate/evaluate.ts';
import { ownBytes } from '../../src/front/http/output.ts';
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { type LoadTarget, type StreamPlan, writeBodies } from '../load/load-target.ts';
import { type Part, Rounds } from '../part.ts';
import { makeHeavy } from '../profiles/heavy.ts';
import { bodiesOf, NOW_MS, type Profile } from '../profiles/profile.ts';
import { recordLatencies } from './latency.bench.ts';
import { targetOf } from './measured-server.ts';
import { startFloor, startServiceWith } from './server-start.ts';

const LIGHT_PER_SECOND = 5_000;
/** 45 MB of answers. */
const HEAVY_PER_SECOND = 10;
const HEAVY_CONNECTIONS = 8;

/** What the heavy carts take in process, once warm, up to the bytes of their answers. */
function measureHeavy({ config, settings, requests }: Profile): {
  readonly ms: number;
  readonly bytes: number;
} {
  const shop = compileShop(config, settings);
  let took = 0;
  let bytes = 0;
  for (const round of ['warm-up', 'measured']) {
    const start = performance.now();
    bytes = 0;
    for (const request of requests) {
      const answer = evaluateToParts(shop, request, NOW_MS);
      if (answer.ok) bytes += ownBytes(answer.value).length;
    }
    if (round === 'measured') took = (performance.now() - start) / requests.length;
  }
  return { ms: took, bytes: Math.round(bytes / requests.length) };
}

export const heavyCartsPart: Part = {
  id: 'http/heavy-carts',
  title: 'Latency of light carts, alone and with heavy ones mixed in, open loop',
  async run(part) {
    const { light, heavy } = makeHeavy();
    const load = new LoadGenerator(part);
    const folder = part.folders.make('bodies');
    const lightFile = writeBodies(folder, 'light', bodiesOf(light));
    const heavyFile = writeBodies(folder, 'heavy', bodiesOf(heavy));
    const server = await startServiceWith(part, light);
    const { ms, bytes } = measureHeavy(heavy);
    const floor = await startFloor(part, 'a', bytes);
    part.note(
      `${LIGHT_PER_SECOND.toLocaleString('en-US')} light carts per second (${light.description}); mixed: also ` +
        `${HEAVY_PER_SECOND} heavy ones (${heavy.description}), ${ms.toFixed(1)} ms and ` +
        `${(bytes / 1e6).toFixed(1)} MB each in process.`,
    );
    const streamOf = (name: string, target: LoadTarget, rate: number, connections: number): StreamPlan => ({
      name,
      target,
      perSecond: rate,
      connections,
    });
    const mixes = [
      { mix: 'alone', of: server, heavyOf: null },
      { mix: 'bytes', of: server, heavyOf: floor },
      { mix: 'mixed', of: server, heavyOf: server },
    ] as const;
    const { rounds, openLoopSeconds } = part.effort;
    const times = { warmupSeconds: openLoopSeconds / 4, seconds: openLoopSeconds };
    const results = new Rounds();
    for (let round = 0; round <= rounds; round++) {
      for (const { mix, of, heavyOf } of mixes) {
        part.step(`${mix} (${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`})`);
        const lights = streamOf('light', targetOf(of, lightFile), LIGHT_PER_SECOND, CONNECTIONS);
        const generators = [load.openLoop({ streams: [lights], ...times })];
        if (heavyOf !== null) {
          const heavies = streamOf(
            'heavy',
            targetOf(heavyOf, heavyFile),
            HEAVY_PER_SECOND,
            HEAVY_CONNECTIONS,
          );
          generators.push(load.openLoop({ streams: [heavies], sleeps: true, ...times }));
        }
        const measured = await Promise.all(generators);
        if (round === 0) continue;
        for (const stream of measured.flatMap(({ streams }) => streams)) {
          const id = stream.name === 'light' ? `http/heavy-carts/${mix}` : `http/heavy-carts/heavy/${mix}`;
          recordLatencies(results, id, stream.name === 'light' ? `light, ${mix}` : `heavy, ${mix}`, stream);
        }
      }
    }
    results.recordTo(part);
  },
};
