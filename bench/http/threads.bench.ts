/**
 * What a second thread on the port gives: the same shop on a server of one thread and on one of two, in turn.
 * Servers and load share all cores, so the ratio is that of this machine with its load on it.
 */
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { writeBodies } from '../load/load-target.ts';
import { type Part, Rounds } from '../part.ts';
import { cpuTimeUs } from '../process/cpu-time.ts';
import { bodiesOf } from '../profiles/profile.ts';
import { makeSmall } from '../profiles/small.ts';
import { makeTypical } from '../profiles/typical.ts';
import { pairedRatios } from '../report/statistics.ts';
import { askOnce, targetOf } from './measured-server.ts';
import { configure, startService } from './server-start.ts';

const THREADS = [1, 2] as const;

const threadsId = (profile: string, threads: number): string => `http/threads/${profile}/${threads}`;

export const threadsPart: Part = {
  id: 'http/threads',
  title: '/api/simulate over HTTP, closed loop, with one thread and with two',
  async run(part) {
    const load = new LoadGenerator(part);
    part.note(`${load.description} ${CONNECTIONS} connections. Nothing is pinned.`);
    for (const profile of [makeSmall(), makeTypical()]) {
      const bodies = bodiesOf(profile);
      const bodiesFile = writeBodies(part.folders.make('bodies'), profile.name, bodies);
      part.step(`${profile.name}: starting`);
      const servers = [];
      for (const threads of THREADS) {
        const environment = { RATEWRIGHT_THREADS: String(threads) };
        const server = await startService(part, part.folders.make('service'), environment, 'any');
        await configure(server, profile);
        servers.push({ threads, server });
      }
      const { rounds, closedLoopSeconds, warmupSeconds } = part.effort;
      const results = new Rounds();
      for (let round = 0; round <= rounds; round++) {
        for (const { threads, server } of servers) {
          const label = `${profile.name}: ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
          part.step(`${label} (${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`})`);
          await askOnce(server, bodies[0] as string);
          const before = cpuTimeUs(server.child.pid);
          const { answers, seconds } = await load.closedLoop({
            target: targetOf(server, bodiesFile),
            connections: CONNECTIONS,
            seconds: round === 0 ? warmupSeconds : closedLoopSeconds,
            role: 'any',
          });
          if (round === 0) continue;
          results.add(threadsId(profile.name, threads), label, 'perSecond', answers / seconds);
          const after = cpuTimeUs(server.child.pid);
          if (before === null || after === null) continue;
          const cpu = `${label}, processor time per request`;
          results.add(`http/cpu/threads/${profile.name}/${threads}`, cpu, 'us', (after - before) / answers);
        }
      }
      results.recordTo(part);
      part.record({
        id: `http/ratio/threads/${profile.name}`,
        label: `${profile.name}: two threads against one, throughput`,
        unit: 'ratio',
        samples: pairedRatios(
          results.samplesOf(threadsId(profile.name, 2)),
          results.samplesOf(threadsId(profile.name, 1)),
        ),
      });
      await part.children.stopAll();
    }
  },
};
