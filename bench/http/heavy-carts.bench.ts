/**
 * Heavy carts among light ones: a thousand items against hundreds of rules, at a rate that would keep a
 * tenth of a core busy. The light carts are what is timed: alone, with heavy ones that worker threads answer,
 * and with heavy ones on the event loop.
 *
 * Heavy carts have a load generator of their own: reading megabytes of answers would make the one of the
 * light carts late, and that would count as theirs.
 */
import { compileShop } from '../../src/compile/compiled-shop.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { type LoadTarget, type StreamPlan, writeBodies } from '../load/load-target.ts';
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

/** Milliseconds that the heaviest carts take in process, once warm, up to the bytes of their answers. */
function heavyMs({ config, settings, requests }: Profile): number {
  const shop = compileShop(config, settings);
  let took = 0;
  for (const round of ['warm-up', 'measured']) {
    const start = performance.now();
    for (const request of requests) {
      const answer = evaluate(shop, request, NOW_MS);
      if (answer.ok) Buffer.from(answer.value, 'latin1');
    }
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
    const onLoop = await startServiceWith(part, light, { RATEWRIGHT_HEAVY_MICROSECONDS: '1000000000' });
    const ms = heavyMs(heavy);
    const perSecond = Math.max(1, Math.round((HEAVY_SHARE * 1_000) / ms));
    part.note(
      `${LIGHT_PER_SECOND.toLocaleString('en-US')} light carts per second (${light.description}); mixed: also ` +
        `${perSecond} heavy ones (${heavy.description}), ${ms.toFixed(1)} ms each in process.`,
    );
    const streamOf = (name: string, target: LoadTarget, rate: number, connections: number): StreamPlan => ({
      name,
      target,
      perSecond: rate,
      connections,
    });
    const mixes = [
      { mix: 'alone', of: server, isMixed: false },
      { mix: 'mixed', of: server, isMixed: true },
      { mix: 'mixed-on-loop', of: onLoop, isMixed: true },
    ] as const;
    const { rounds, openLoopSeconds } = part.effort;
    const times = { warmupSeconds: openLoopSeconds / 4, seconds: openLoopSeconds };
    const results = new Rounds();
    for (let round = 0; round <= rounds; round++) {
      for (const { mix, of, isMixed } of mixes) {
        part.step(`${mix} (${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`})`);
        const lights = streamOf('light', targetOf(of, lightFile), LIGHT_PER_SECOND, CONNECTIONS);
        const heavies = streamOf('heavy', targetOf(of, heavyFile), perSecond, HEAVY_CONNECTIONS);
        const plans = isMixed ? [lights, heavies] : [lights];
        const measured = await Promise.all(plans.map((plan) => load.openLoop({ streams: [plan], ...times })));
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
