/**
 * Throughput over HTTP: the service, the floors and the peers on the same bodies, one after another in every
 * round. Floors send as many bytes as the service's answers have on average.
 */
import { compileShop } from '../../src/compile/compiled-shop.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { writeBodies } from '../load/load-target.ts';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { arePeersInstalled, buildPeers, PEER_NAMES } from '../peer-install.ts';
import { cpuTimeUs } from '../process/cpu-time.ts';
import { makeDemo } from '../profiles/demo.ts';
import { makeLarge } from '../profiles/large.ts';
import { makePostal } from '../profiles/postal.ts';
import { bodiesOf, NOW_MS, type Profile } from '../profiles/profile.ts';
import { makeSmall } from '../profiles/small.ts';
import { makeTypical } from '../profiles/typical.ts';
import { pairedRatios } from '../report/statistics.ts';
import { askOnce, type MeasuredServer, targetOf } from './measured-server.ts';
import { startFloor, startPeer, startServiceWith } from './server-start.ts';

export const throughputId = (profile: string, server: string): string =>
  `http/throughput/${profile}/${server}`;
const cpuId = (profile: string, server: string): string => `http/cpu/${profile}/${server}`;

/** The service against each other server, round by round. */
function recordRatios(
  part: PartRun,
  results: Rounds,
  profile: string,
  servers: readonly MeasuredServer[],
): void {
  const [service, ...others] = servers;
  if (service === undefined) return;
  for (const other of others) {
    const ratios = (idOf: typeof throughputId): readonly number[] =>
      pairedRatios(results.samplesOf(idOf(profile, service.id)), results.samplesOf(idOf(profile, other.id)));
    const label = `${profile}: ${service.name} against ${other.name}`;
    part.record({
      id: `http/ratio/throughput/${profile}/${other.id}`,
      label: `${label}, throughput`,
      unit: 'ratio',
      samples: ratios(throughputId),
    });
    const cpu = ratios(cpuId);
    if (cpu.length === 0) continue;
    part.record({
      id: `http/ratio/cpu/${profile}/${other.id}`,
      label: `${label}, processor time`,
      unit: 'ratio',
      samples: cpu,
    });
  }
}

/** Mean bytes of the service's answers to the carts of a profile. */
export function meanAnswerBytes({ config, settings, requests }: Profile): number {
  const shop = compileShop(config, settings);
  let bytes = 0;
  for (const request of requests) {
    const outcome = evaluate(shop, request, NOW_MS);
    if (outcome.ok) bytes += outcome.value.length;
  }
  return Math.round(bytes / requests.length);
}

async function startAll(
  part: PartRun,
  profile: Profile,
  hasPeers: boolean,
): Promise<readonly MeasuredServer[]> {
  const bytes = meanAnswerBytes(profile);
  const servers = [
    await startServiceWith(part, profile),
    await startFloor(part, 'a', bytes),
    await startFloor(part, 'b', bytes),
  ];
  for (const peer of hasPeers ? PEER_NAMES : []) servers.push(await startPeer(part, peer, profile));
  return servers;
}

async function measureProfile(
  part: PartRun,
  load: LoadGenerator,
  profile: Profile,
  hasPeers: boolean,
): Promise<void> {
  const bodies = bodiesOf(profile);
  const bodiesFile = writeBodies(part.folders.make('bodies'), profile.name, bodies);
  part.step(`${profile.name}: starting`);
  const servers = await startAll(part, profile, hasPeers);
  const { rounds, closedLoopSeconds, warmupSeconds } = part.effort;
  const results = new Rounds();
  for (const server of servers) {
    part.step(`${profile.name}: ${server.name} (warm-up)`);
    await askOnce(server, bodies[0] as string);
    await load.closedLoop({
      target: targetOf(server, bodiesFile),
      connections: CONNECTIONS,
      seconds: warmupSeconds,
    });
  }
  for (let round = 1; round <= rounds; round++) {
    for (const server of servers) {
      part.step(`${profile.name}: ${server.name} (round ${round} of ${rounds})`);
      const before = cpuTimeUs(server.child.pid);
      const { answers, seconds } = await load.closedLoop({
        target: targetOf(server, bodiesFile),
        connections: CONNECTIONS,
        seconds: closedLoopSeconds,
      });
      const after = cpuTimeUs(server.child.pid);
      const label = `${profile.name}: ${server.name}`;
      results.add(throughputId(profile.name, server.id), label, 'perSecond', answers / seconds);
      if (before !== null && after !== null) {
        const id = cpuId(profile.name, server.id);
        results.add(id, `${label}, processor time per request`, 'us', (after - before) / answers);
      }
    }
  }
  results.recordTo(part);
  recordRatios(part, results, profile.name, servers);
  await part.children.stopAll();
}

export const throughputPart: Part = {
  id: 'http/throughput',
  title: '/api/simulate over HTTP, closed loop: the service, the floors and the peers in turn',
  async run(part) {
    const load = new LoadGenerator(part);
    part.note(`${load.description} ${CONNECTIONS} connections.`);
    part.note(part.children.cores.description);
    part.note(
      'Floor A reads the body and sends as many static bytes; floor B also parses it; peer 1 is Fastify with ' +
        'json-rules-engine, peer 2 Fastify with plain TypeScript and JSON.stringify.',
    );
    const hasPeers = arePeersInstalled();
    if (hasPeers) buildPeers();
    else part.note('Peers left out, they are not installed: npm run bench -- http throughput --peers');
    const patterns = part.effort.postalPatterns.at(-1) ?? 0;
    await measureProfile(part, load, makeDemo(), hasPeers);
    await measureProfile(part, load, makeSmall(), hasPeers);
    await measureProfile(part, load, makeTypical(), hasPeers);
    await measureProfile(part, load, makeLarge(), false);
    await measureProfile(part, load, makePostal(patterns), false);
  },
};
