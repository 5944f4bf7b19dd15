/**
 * What an active changeset costs live simulations: the same shop on two servers, one of which shows every
 * simulation to a changeset as well. All threads of a server share one core, so this is the most expensive case.
 */
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import type { Part } from '../part.ts';
import { mainThreadTimeUs } from '../process/cpu-time.ts';
import { bodiesOf, type Profile } from '../profiles/profile.ts';
import { makeSmall } from '../profiles/small.ts';
import { makeTypical } from '../profiles/typical.ts';
import { answered, withClient } from './admin-client.ts';
import { measureClosedLoop } from './closed-loop-rounds.ts';
import type { MeasuredServer } from './measured-server.ts';
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
      part.step(`${profile.name}: starting`);
      const servers = [
        { server: await startServiceWith(part, profile), changeset: 'none' },
        { server: await startServiceWith(part, profile), changeset: 'active' },
      ] as const;
      await enterStaging(servers[1].server, profile);
      const results = await measureClosedLoop(part, {
        load,
        bodies: bodiesOf(profile),
        variants: servers.map(({ server, changeset }) => ({
          server,
          label: `${profile.name}: changeset ${changeset}`,
          throughputId: shadowId(profile.name, changeset),
          cpuId: `http/cpu/shadow/${profile.name}/${changeset}`,
        })),
        cpuTimeOf: mainThreadTimeUs,
        cpuLabel: 'processor time of the answering thread',
      });
      results.recordRatio(part, {
        id: `http/ratio/shadow/${profile.name}`,
        label: `${profile.name}: an active changeset against none, throughput`,
        numerator: shadowId(profile.name, 'active'),
        denominator: shadowId(profile.name, 'none'),
      });
      const { staging } = answered(await withClient(servers[1].server, (client) => client.getStaging()));
      const { evaluated = 0, dropped = 0 } = staging?.shadow ?? {};
      part.note(`${profile.name}: ${evaluated} simulations shown to the changeset, ${dropped} dropped.`);
      await part.children.stopAll();
    }
  },
};
