/**
 * Throughput over HTTP: the service, the floors and the peers on the same bodies, one after another in every
 * round. Floors send as many bytes as the service's answers have on average.
 */
import { isDeepStrictEqual } from 'node:util';
import type { RatesAnswer } from '../../src/engine/wire/answer.ts';
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { type Part, type PartRun, profilesOf, type Rounds } from '../part.ts';
import { arePeersInstalled, buildPeers, PEERS } from '../peer-install.ts';
import { makeEverySize } from '../profiles/every-size.ts';
import { bodiesOf, type Profile } from '../profiles/profile.ts';
import { measureClosedLoop } from './closed-loop-rounds.ts';
import { askOnce, inEachForm, type MeasuredServer, meanAnswerBytes } from './measured-server.ts';
import { startFloor, startPeer, startServiceWith } from './server-start.ts';

const throughputId = (profile: string, server: string): string => `http/throughput/${profile}/${server}`;
const cpuId = (profile: string, server: string): string => `http/cpu/${profile}/${server}`;

/** Profiles that the peers can hold as well: they know neither customers nor sides of items nor delivery dates. */
const PEER_PROFILES: ReadonlySet<string> = new Set(['small', 'typical']);

interface Lineup {
  readonly servers: readonly MeasuredServer[];
  /** Pairs whose ratio is recorded. */
  readonly pairs: readonly (readonly [MeasuredServer, MeasuredServer])[];
}

/** Throws unless the peer offers the same rates for every cart. */
async function assertSameRates(
  service: MeasuredServer,
  peer: MeasuredServer,
  bodies: readonly string[],
): Promise<void> {
  const ratesOf = async (server: MeasuredServer, body: string) =>
    (JSON.parse(await askOnce(server, body)) as RatesAnswer).rates;
  for (const body of bodies) {
    const [own, other] = [await ratesOf(service, body), await ratesOf(peer, body)];
    if (!isDeepStrictEqual(own, other)) throw new Error(`${peer.name} offers other rates for ${body}`);
  }
}

async function startAll(
  part: PartRun,
  profile: Profile,
  bodies: readonly string[],
  hasPeers: boolean,
): Promise<Lineup> {
  const forms = inEachForm(await startServiceWith(part, profile));
  const servers: MeasuredServer[] = [];
  const pairs: (readonly [MeasuredServer, MeasuredServer])[] = [];
  const against = (form: MeasuredServer, other: MeasuredServer): void => {
    servers.push(other);
    pairs.push([form, other]);
  };
  for (const [at, form] of forms.entries()) {
    const bytes = await meanAnswerBytes(form, bodies);
    const floorB = await startFloor(part, 'b', bytes);
    servers.push(form);
    part.note(`${profile.name}: answers of ${form.name} have ${bytes.toLocaleString('en-US')} bytes.`);
    if (at === 0) {
      against(form, await startFloor(part, 'a', bytes));
      against(form, floorB);
    } else {
      pairs.push([form, forms[0] as MeasuredServer]);
      against(form, { ...floorB, id: `floor-b-${form.id}`, name: 'floor B, same bytes' });
    }
  }
  for (const peer of hasPeers ? PEERS : []) {
    const form = forms.find(({ id }) => id === peer.answers) as MeasuredServer;
    const server = await startPeer(part, peer, profile);
    await assertSameRates(form, server, bodies);
    against(form, server);
  }
  return { servers, pairs };
}

function recordRatios(part: PartRun, results: Rounds, profile: string, pairs: Lineup['pairs']): void {
  for (const [one, other] of pairs) {
    const label = `${profile}: ${one.name} against ${other.name}`;
    // Ratios of the first form keep the short id.
    const pair = one.id === 'ratewright' ? other.id : `${one.id}/${other.id}`;
    for (const [what, words, idOf] of [
      ['throughput', 'throughput', throughputId],
      ['cpu', 'processor time', cpuId],
    ] as const) {
      results.recordRatio(part, {
        id: `http/ratio/${what}/${profile}/${pair}`,
        label: `${label}, ${words}`,
        numerator: idOf(profile, one.id),
        denominator: idOf(profile, other.id),
      });
    }
  }
}

async function measureProfile(
  part: PartRun,
  load: LoadGenerator,
  profile: Profile,
  hasPeers: boolean,
): Promise<void> {
  const { name } = profile;
  const bodies = bodiesOf(profile);
  part.step(`${name}: starting`);
  const { servers, pairs } = await startAll(part, profile, bodies, hasPeers);
  const variants = servers.map((server) => ({
    server,
    label: `${name}: ${server.name}`,
    throughputId: throughputId(name, server.id),
    cpuId: cpuId(name, server.id),
  }));
  const results = await measureClosedLoop(part, { load, bodies, variants });
  recordRatios(part, results, name, pairs);
  await part.children.stopAll();
}

export const throughputPart: Part = {
  id: 'http/throughput',
  title: '/api/simulate over HTTP, closed loop: the service, the floors and the peers in turn',
  takesShop: true,
  async run(part) {
    const load = new LoadGenerator(part);
    part.note(`${load.description} ${CONNECTIONS} connections.`);
    part.note(part.children.cores.description);
    part.note(
      'Floor A reads the body and sends as many static bytes; floor B also parses it; peer 1 is Fastify with ' +
        'json-rules-engine, peer 2 Fastify with plain TypeScript and JSON.stringify, peer 3 Fastify with GoRules Zen, whose ' +
        'decision tables give base prices and matching rules, and answers with the rates alone; peer 4 adds its traces.',
    );
    const profiles = profilesOf(part, () => makeEverySize(part.effort));
    const hasPeers = arePeersInstalled();
    const comparesPeers = profiles.some(({ name }) => PEER_PROFILES.has(name));
    if (comparesPeers && hasPeers) buildPeers();
    if (comparesPeers && !hasPeers) {
      part.note('Peers left out, they are not installed: npm run bench -- http throughput --peers');
    }
    for (const profile of profiles) {
      await measureProfile(part, load, profile, hasPeers && PEER_PROFILES.has(profile.name));
    }
  },
};
