/** Start of a node with an empty mirror, by shops in the database: from the start of the process to the first answer. */
import { moveToDatabase } from '../../src/store/node/move-log.ts';
import { askOnce } from '../http/measured-server.ts';
import { startService } from '../http/server-start.ts';
import { type Part, Rounds } from '../part.ts';
import { coldFolder, firstBody, shopsText } from '../store/cold-start.bench.ts';
import { nodeOf, withTrio } from './trio.ts';

type Variant = 'embedded' | 'node';

export const nodeStartId = (variant: Variant, shops: number): string => `cluster/start/${variant}/${shops}`;

export const nodeStartPart: Part = {
  id: 'cluster/start',
  title: 'Start to first answer, by shops: a node with an empty mirror, and the service without a database',
  run: (part) =>
    withTrio(part, async (trio) => {
      const { rounds, shopsOnDisk } = part.effort;
      const sources: { shops: number; folder: string; url: string }[] = [];
      for (const shops of [1, Math.max(...shopsOnDisk)]) {
        const folder = await coldFolder(part, shops);
        const url = await trio.newDatabase(`shops_${shops}`);
        part.step(`moving ${shopsText(shops)} into the database`);
        await moveToDatabase(folder, { url, copies: 'standbys' });
        sources.push({ shops, folder, url });
      }
      const results = new Rounds();
      for (let round = 1; round <= rounds; round++) {
        const measure = async (shops: number, variant: Variant, folder: string, url?: string) => {
          const label = `${shopsText(shops)}: ${variant}`;
          part.step(`${label} (round ${round} of ${rounds})`);
          const environment = url === undefined ? {} : nodeOf(url);
          const start = performance.now();
          const server = await startService(part, folder, environment, 'any');
          await askOnce(server, firstBody);
          results.add(nodeStartId(variant, shops), label, 'ms', performance.now() - start);
          await server.child.stop();
        };
        for (const { shops, folder, url } of sources) {
          await measure(shops, 'embedded', folder);
          await measure(shops, 'node', part.folders.make('mirror'), url);
        }
      }
      results.recordTo(part);
    }),
};
