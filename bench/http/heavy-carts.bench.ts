/**
 * Heavy carts among light ones: a thousand items against hundreds of rules, at a rate that would keep a
 * tenth of a core busy. The light carts are what is timed.
 */
import { compileShop } from '../../src/compile/compiled-shop.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { type StreamPlan, writeBodies } from '../load/load-target.ts';
import { type Part, Rounds } from '../part.ts';
import { makeHeavy } from '../profiles/heavy.ts';
import { bodiesOf, NOW_MS, type Profile } from '../profiles/profile.ts';
import { recordLatencies } from './latency.bench.ts';
import { targetOf } from './measured-server.ts';
import { startServiceWith } from './server-start.ts';

const LIGHT_PER_SECOND = 5_000;
/** Share of a core that heavy carts would take in process. */
const HEAVY_SHARE = 0.1;
const HEAVY_CONNECTIONS = 8;

/** Milliseconds that the heaviest carts take in process, once warm. */
function heavyMs({ config, settings, requests }: Profile): number {
  const shop = compileShop(config, settings);
  let took = 0;
  for (const round of ['warm-up', 'measured']) {
    const start = performance.now();
    for (const request of requests) evaluate(shop, request, NOW_MS);
    if (round === 'measured') took = (performance.now() - start) / requests.length;
  }
  return took;
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
    const ms = heavyMs(heavy);
    const perSecond = Math.max(1, Math.round((HEAVY_SHARE * 1_000) / ms));
    part.note(
      `${LIGHT_PER_SECOND.toLocaleString('en-US')} light carts per second (${light.description}); mixed: also ` +
        `${perSecond} heavy ones (${heavy.description}), ${ms.toFixed(1)} ms each in process.`,
    );
    const lightStream: StreamPlan = {
      name: 'light',
      target: targetOf(server, lightFile),
      perSecond: LIGHT_PER_SECOND,
      connections: CONNECTIONS,
    };
    const heavyStream: StreamPlan = {
      name: 'heavy',
      target: targetOf(server, heavyFile),
      perSecond,
      connections: HEAVY_CONNECTIONS,
    };
    const mixes = [
      ['alone', [lightStream]],
      ['mixed', [lightStream, heavyStream]],
    ] as const;
    const { rounds, openLoopSeconds } = part.effort;
    const results = new Rounds();
    for (let round = 0; round <= rounds; round++) {
      for (const [mix, streams] of mixes) {
        part.step(`${mix} (${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`})`);
        const result = await load.openLoop({
          streams,
          warmupSeconds: openLoopSeconds / 4,
          seconds: openLoopSeconds,
        });
        if (round === 0) continue;
        for (const stream of result.streams) {
          const id = stream.name === 'light' ? `http/heavy-carts/${mix}` : 'http/heavy-carts/heavy';
          recordLatencies(results, id, stream.name === 'light' ? `light, ${mix}` : 'heavy', stream);
        }
      }
    }
    results.recordTo(part);
  },
};
