/**
 * What an active changeset costs live simulations: the same shop on two servers, one of which shows every
 * simulation to a changeset as well. All threads of a server share one core, so this is the dearest case.
 */
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { writeBodies } from '../load/load-target.ts';
import { type Part, Rounds } from '../part.ts';
import { mainThreadTimeUs } from '../process/cpu-time.ts';
import { bodiesOf, type Profile } from '../profiles/profile.ts';
import { makeSmall } from '../profiles/small.ts';
import { makeTypical } from '../profiles/typical.ts';
import { pairedRatios } from '../report/statistics.ts';
import { answered, withClient } from './admin-client.ts';
import { askOnce, type MeasuredServer, targetOf } from './measured-server.ts';
import { startServiceWith } from './server-start.ts';

export const shadowId = (profile: string, changeset: 'none' | 'active'): string =>
  `http/shadow/${profile}/${changeset}`;

/** A changeset in which one method is dearer, so that part of the answers differ. */
const enterStaging = (server: MeasuredServer, { config }: Profile): Promise<void> =>
  withClient(server, async (client) => {
    answered(await client.changeStaging({ action: 'enter' }));
    const methodId = config.methods[0]?.id ?? '';
    answered(await client.updateMethod(methodId, { rateType: 'flat', config: { price: 4_321 } }));
  });

export const shadowPart: Part = {
  id: 'http/shadow',
  title: '/api/simulate over HTTP, closed loop, with and without an active changeset',
  async run(part) {
    const load = new LoadGenerator(part);
    part.note(`${load.description} ${CONNECTIONS} connections.`);
    part.note(part.children.cores.description);
    for (const profile of [makeSmall(), makeTypical()]) {
      const bodies = bodiesOf(profile);
      const bodiesFile = writeBodies(part.folders.make('bodies'), profile.name, bodies);
      part.step(`${profile.name}: starting`);
      const servers = [
        { server: await startServiceWith(part, profile), changeset: 'none' },
        { server: await startServiceWith(part, profile), changeset: 'active' },
      ] as const;
      await enterStaging(servers[1].server, profile);
      const { rounds, closedLoopSeconds, warmupSeconds } = part.effort;
      const results = new Rounds();
      for (let round = 0; round <= rounds; round++) {
        for (const { server, changeset } of servers) {
          part.step(
            `${profile.name}: changeset ${changeset} (${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`})`,
          );
          await askOnce(server, bodies[0] as string);
          const before = mainThreadTimeUs(server.child.pid);
          const { answers, seconds } = await load.closedLoop({
            target: targetOf(server, bodiesFile),
            connections: CONNECTIONS,
            seconds: round === 0 ? warmupSeconds : closedLoopSeconds,
          });
          if (round === 0) continue;
          const label = `${profile.name}: changeset ${changeset}`;
          results.add(shadowId(profile.name, changeset), label, 'perSecond', answers / seconds);
          const after = mainThreadTimeUs(server.child.pid);
          if (before === null || after === null) continue;
          const cpu = `${label}, processor time of the answering thread`;
          results.add(`http/cpu/shadow/${profile.name}/${changeset}`, cpu, 'us', (after - before) / answers);
        }
      }
      results.recordTo(part);
      part.record({
        id: `http/ratio/shadow/${profile.name}`,
        label: `${profile.name}: an active changeset against none, throughput`,
        unit: 'ratio',
        samples: pairedRatios(
          results.samplesOf(shadowId(profile.name, 'active')),
          results.samplesOf(shadowId(profile.name, 'none')),
        ),
      });
      const { staging } = answered(await withClient(servers[1].server, (client) => client.getStaging()));
      const { evaluated = 0, dropped = 0 } = staging?.shadow ?? {};
      part.note(`${profile.name}: ${evaluated} simulations shown to the changeset, ${dropped} dropped.`);
      await part.children.stopAll();
    }
  },
};
