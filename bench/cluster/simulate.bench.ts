/** Simulations of a node of a cluster against those of the same service without a database, one at a time on one core. */
import { measureClosedLoop } from '../http/closed-loop-rounds.ts';
import { startServiceWith } from '../http/server-start.ts';
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import type { Part } from '../part.ts';
import { bodiesOf } from '../profiles/profile.ts';
import { makeSmall } from '../profiles/small.ts';
import { makeTypical } from '../profiles/typical.ts';
import { nodeOf, withTrio } from './trio.ts';

export const clusterSimulateId = (profile: string, variant: 'embedded' | 'node'): string =>
  `cluster/simulate/${profile}/${variant}`;

export const clusterSimulatePart: Part = {
  id: 'cluster/simulate',
  title: '/api/simulate over HTTP, closed loop, at a node of a cluster and without a database',
  run: (part) =>
    withTrio(part, async (trio) => {
      const load = new LoadGenerator(part);
      part.note(`${load.description} ${CONNECTIONS} connections.`);
      part.note(part.children.cores.description);
      for (const profile of [makeSmall(), makeTypical()]) {
        const { name } = profile;
        part.step(`${name}: starting`);
        const url = await trio.newDatabase(name);
        const variants = [
          { variant: 'embedded', server: await startServiceWith(part, profile) },
          { variant: 'node', server: await startServiceWith(part, profile, nodeOf(url)) },
        ] as const;
        const results = await measureClosedLoop(part, {
          load,
          bodies: bodiesOf(profile),
          variants: variants.map(({ variant, server }) => ({
            server,
            label: `${name}: ${variant}`,
            throughputId: clusterSimulateId(name, variant),
            cpuId: `cluster/cpu/simulate/${name}/${variant}`,
          })),
        });
        results.recordRatio(part, {
          id: `cluster/ratio/simulate/${name}`,
          label: `${name}: a node against the service without a database, throughput`,
          numerator: clusterSimulateId(name, 'node'),
          denominator: clusterSimulateId(name, 'embedded'),
        });
        await part.children.stopAll();
      }
    }),
};
