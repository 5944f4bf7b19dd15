/**
 * What a second thread on the port gives: the same shop on a server of one thread and on one of two, in turn.
 * Servers and load share all cores, so the ratio is that of this machine with its load on it.
 */
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { type Part, profilesOf } from '../part.ts';
import { bodiesOf } from '../profiles/profile.ts';
import { makeSmall } from '../profiles/small.ts';
import { makeTypical } from '../profiles/typical.ts';
import { measureClosedLoop } from './closed-loop-rounds.ts';
import { configure, startService } from './server-start.ts';

const THREADS = [1, 2] as const;

const threadsId = (profile: string, threads: number): string => `http/threads/${profile}/${threads}`;

export const threadsPart: Part = {
  id: 'http/threads',
  title: '/api/simulate over HTTP, closed loop, with one thread and with two',
  takesShop: true,
  async run(part) {
    const load = new LoadGenerator(part);
    part.note(`${load.description} ${CONNECTIONS} connections. Nothing is pinned.`);
    for (const profile of profilesOf(part, () => [makeSmall(), makeTypical()])) {
      part.step(`${profile.name}: starting`);
      const servers = [];
      for (const threads of THREADS) {
        const environment = { RATEWRIGHT_THREADS: String(threads) };
        const server = await startService(part, part.folders.make('service'), environment, 'any');
        await configure(server, profile);
        servers.push({ threads, server });
      }
      const results = await measureClosedLoop(part, {
        load,
        bodies: bodiesOf(profile),
        variants: servers.map(({ threads, server }) => ({
          server,
          label: `${profile.name}: ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
          throughputId: threadsId(profile.name, threads),
          cpuId: `http/cpu/threads/${profile.name}/${threads}`,
        })),
        role: 'any',
      });
      results.recordRatio(part, {
        id: `http/ratio/threads/${profile.name}`,
        label: `${profile.name}: two threads against one, throughput`,
        numerator: threadsId(profile.name, 2),
        denominator: threadsId(profile.name, 1),
      });
      await part.children.stopAll();
    }
  },
};
