/**
 * What a second process on the port gives: the same shop on a server of one process and on one of two, in turn.
 * Servers and load share all cores, so the ratio is that of this machine with its load on it.
 */
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { type Part, profilesOf } from '../part.ts';
import { bodiesOf } from '../profiles/profile.ts';
import { makeSmall } from '../profiles/small.ts';
import { makeTypical } from '../profiles/typical.ts';
import { measureClosedLoop } from './closed-loop-rounds.ts';
import { startServiceWith } from './server-start.ts';

const PROCESSES = [1, 2] as const;

export const processesId = (profile: string, processes: number): string =>
  `http/processes/${profile}/${processes}`;

export const processesPart: Part = {
  id: 'http/processes',
  title: '/api/simulate over HTTP, closed loop, with one process and with two',
  takesShop: true,
  async run(part) {
    const load = new LoadGenerator(part);
    part.note(`${load.description} ${CONNECTIONS} connections. Nothing is pinned.`);
    for (const profile of profilesOf(part, () => [makeSmall(), makeTypical()])) {
      part.step(`${profile.name}: starting`);
      const servers = [];
      for (const processes of PROCESSES) {
        const environment = { RATEWRIGHT_PROCESSES: String(processes) };
        servers.push({ processes, server: await startServiceWith(part, profile, environment, 'any') });
      }
      const results = await measureClosedLoop(part, {
        load,
        bodies: bodiesOf(profile),
        variants: servers.map(({ processes, server }) => ({
          server,
          label: `${profile.name}: ${processes} ${processes === 1 ? 'process' : 'processes'}`,
          throughputId: processesId(profile.name, processes),
          cpuId: `http/cpu/processes/${profile.name}/${processes}`,
        })),
        role: 'any',
      });
      results.recordRatio(part, {
        id: `http/ratio/processes/${profile.name}`,
        label: `${profile.name}: two processes against one, throughput`,
        numerator: processesId(profile.name, 2),
        denominator: processesId(profile.name, 1),
      });
      await part.children.stopAll();
    }
  },
};
