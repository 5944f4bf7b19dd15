/**
 * Latency at half of the peak load, open loop, against floor B at the same load. Percentiles count from when
 * a request was due, so that no stall is hidden.
 */
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { type LoadTarget, type StreamResult, writeBodies } from '../load/load-target.ts';
import { type Part, type PartRun, profilesOf, Rounds } from '../part.ts';
import { bodiesOf, type Profile } from '../profiles/profile.ts';
import { makeTypical } from '../profiles/typical.ts';
import { inEachForm, meanAnswerBytes, targetOf } from './measured-server.ts';
import { startFloor, startServiceWith } from './server-start.ts';

/** Share of what the open-loop generator can send at most; above it, its own queue is what is measured. */
const GENERATOR_SHARE = 0.6;
const PEAK_SHARE = 0.5;

async function perSecond(
  load: LoadGenerator,
  target: LoadTarget,
  seconds: number,
  tool = load.tool,
): Promise<number> {
  const result = await load.closedLoop({ target, connections: CONNECTIONS, seconds }, tool);
  return result.answers / result.seconds;
}

export function recordLatencies(results: Rounds, id: string, label: string, stream: StreamResult): void {
  results.add(`${id}/p50`, `${label}, p50`, 'us', stream.p50Us);
  results.add(`${id}/p99`, `${label}, p99`, 'us', stream.p99Us);
  results.add(`${id}/p999`, `${label}, p99.9`, 'us', stream.p999Us);
}

/** The load of the measurement: half of the service's peak, or what the generator can send without queueing. */
async function chooseLoad(
  part: PartRun,
  load: LoadGenerator,
  service: LoadTarget,
  floor: LoadTarget,
): Promise<number> {
  const { warmupSeconds, closedLoopSeconds } = part.effort;
  part.step('peak of the service');
  await perSecond(load, service, warmupSeconds);
  await perSecond(load, floor, warmupSeconds);
  const peak = await perSecond(load, service, closedLoopSeconds);
  part.step('what the generator can send');
  const sendable = await perSecond(load, floor, closedLoopSeconds, 'sockets');
  const wanted = Math.round(peak * PEAK_SHARE);
  const chosen = Math.min(wanted, Math.round(sendable * GENERATOR_SHARE));
  const share = Math.round((chosen / peak) * 100);
  part.note(
    `${chosen.toLocaleString('en-US')} requests per second, ${share} % of the peak of ` +
      `${Math.round(peak).toLocaleString('en-US')} with ${load.tool}.`,
  );
  if (chosen < wanted) {
    part.note(
      `Half of the peak is more than this generator can send on one core without queueing (it ends at ` +
        `${Math.round(sendable).toLocaleString('en-US')} in a closed loop).`,
    );
  }
  return chosen;
}

async function measureProfile(part: PartRun, load: LoadGenerator, profile: Profile): Promise<void> {
  const bodies = bodiesOf(profile);
  const bodiesFile = writeBodies(part.folders.make('bodies'), profile.name, bodies);
  part.step(`${profile.name}: starting`);
  const service = await startServiceWith(part, profile);
  const floor = await startFloor(part, 'b', await meanAnswerBytes(service, bodies));
  const rate = await chooseLoad(part, load, targetOf(service, bodiesFile), targetOf(floor, bodiesFile));
  const results = new Rounds();
  const { rounds, openLoopSeconds } = part.effort;
  for (let round = 1; round <= rounds; round++) {
    for (const server of [...inEachForm(service), floor]) {
      const label = `${profile.name}: ${server.name}`;
      part.step(`${label} (round ${round} of ${rounds})`);
      const target = targetOf(server, bodiesFile);
      const { streams, generatorLagP99Us } = await load.openLoop({
        streams: [{ name: server.name, target, perSecond: rate, connections: CONNECTIONS }],
        warmupSeconds: openLoopSeconds / 4,
        seconds: openLoopSeconds,
      });
      const id = `http/latency/${profile.name}/${server.id}`;
      for (const stream of streams) recordLatencies(results, id, label, stream);
      results.add(`${id}/lag`, `${label}, sent late by, p99`, 'us', generatorLagP99Us);
    }
  }
  results.recordTo(part);
  await part.children.stopAll();
}

export const latencyPart: Part = {
  id: 'http/latency',
  title: 'Latency at half of the peak load, open loop, from the intended send time',
  takesShop: true,
  async run(part) {
    const load = new LoadGenerator(part);
    for (const profile of profilesOf(part, () => [makeTypical()])) await measureProfile(part, load, profile);
    part.note('Latencies include how late the generator itself was ("sent late by").');
  },
};
