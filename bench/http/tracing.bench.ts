/**
 * What spans cost a simulation: the same shop on two servers, one of which has a provider of spans. That the other, which makes
 * none, loses nothing shows against a commit without spans: `npm run bench:compare`.
 */
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import type { Part } from '../part.ts';
import { mainThreadTimeUs } from '../process/cpu-time.ts';
import { bodiesOf } from '../profiles/profile.ts';
import { makeTypical } from '../profiles/typical.ts';
import { scriptPath } from '../project-paths.ts';
import { measureClosedLoop } from './closed-loop-rounds.ts';
import { startServiceWith } from './server-start.ts';

const cpuId = (provider: string): string => `http/cpu/tracing/${provider}`;

export const tracingPart: Part = {
  id: 'http/tracing',
  title: '/api/simulate over HTTP, closed loop, with and without a provider of spans',
  async run(part) {
    const load = new LoadGenerator(part);
    part.note(`${load.description} ${CONNECTIONS} connections.`);
    part.note(part.children.cores.description);
    const profile = makeTypical();
    part.step(`${profile.name}: starting`);
    const options = `--import=${scriptPath('process/span-provider.js')} ${process.env['NODE_OPTIONS'] ?? ''}`;
    const servers = [
      { server: await startServiceWith(part, profile), provider: 'none' },
      { server: await startServiceWith(part, profile, { NODE_OPTIONS: options }), provider: 'registered' },
    ] as const;
    const results = await measureClosedLoop(part, {
      load,
      bodies: bodiesOf(profile),
      variants: servers.map(({ server, provider }) => ({
        server,
        label: `${profile.name}: provider ${provider}`,
        throughputId: `http/tracing/${provider}`,
        cpuId: cpuId(provider),
      })),
      cpuTimeOf: mainThreadTimeUs,
      cpuLabel: 'processor time of the answering thread',
    });
    results.recordRatio(part, {
      id: 'http/ratio/tracing',
      label: `${profile.name}: a provider against none, processor time`,
      numerator: cpuId('registered'),
      denominator: cpuId('none'),
    });
  },
};
