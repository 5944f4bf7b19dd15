/** Shops on disk: from the start of the process to the first answer, and what a loaded shop's answer costs. */

import { askOnce, type MeasuredServer, targetOf } from '../http/measured-server.ts';
import { configure, startService } from '../http/server-start.ts';
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { writeBodies } from '../load/load-target.ts';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { bodiesOf } from '../profiles/profile.ts';
import { makeTypical } from '../profiles/typical.ts';
import { fillWithShops } from './shop-filler.ts';

const profile = makeTypical();
export const firstBody = JSON.stringify(profile.requests[0]);

export const shopsText = (shops: number): string =>
  `${shops.toLocaleString('en-US')} ${shops === 1 ? 'shop' : 'shops'}`;

/** A data folder with one shop of *typical* among so many. */
export async function coldFolder(part: PartRun, shops: number): Promise<string> {
  const folder = part.folders.make(`shops-${shops}`);
  const server = await startService(part, folder);
  await configure(server, profile);
  await server.child.stop();
  part.step(`writing ${shopsText(shops)}`);
  await fillWithShops(folder, shops - 1);
  return folder;
}

async function measureStarts(
  part: PartRun,
  folders: ReadonlyMap<number, string>,
  results: Rounds,
): Promise<void> {
  for (let round = 1; round <= part.effort.rounds; round++) {
    for (const [shops, folder] of folders) {
      part.step(`start with ${shopsText(shops)} (round ${round} of ${part.effort.rounds})`);
      const start = performance.now();
      const server = await startService(part, folder);
      await askOnce(server, firstBody);
      const took = performance.now() - start;
      results.add(
        `store/cold-start/first-answer/${shops}`,
        `${shopsText(shops)}: start to first answer`,
        'ms',
        took,
      );
      await server.child.stop();
    }
  }
}

async function measureAnswers(
  part: PartRun,
  folders: ReadonlyMap<number, string>,
  results: Rounds,
): Promise<void> {
  const load = new LoadGenerator(part);
  const bodiesFile = writeBodies(part.folders.make('bodies'), profile.name, bodiesOf(profile));
  const servers: (readonly [number, MeasuredServer])[] = [];
  for (const [shops, folder] of folders) servers.push([shops, await startService(part, folder)]);
  const { rounds, closedLoopSeconds, warmupSeconds } = part.effort;
  for (let round = 0; round <= rounds; round++) {
    for (const [shops, server] of servers) {
      part.step(
        `answers with ${shopsText(shops)} (${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`})`,
      );
      const seconds = round === 0 ? warmupSeconds : closedLoopSeconds;
      const target = targetOf(server, bodiesFile);
      const result = await load.closedLoop({ target, connections: CONNECTIONS, seconds });
      if (round === 0) continue;
      const us = (result.seconds * 1e6) / result.answers;
      results.add(
        `store/cold-start/answer/${shops}`,
        `${shopsText(shops)}: one answer of a loaded shop`,
        'us',
        us,
      );
    }
  }
  part.note(load.description);
}

export const coldStartPart: Part = {
  id: 'store/cold-start',
  title: 'Shops on disk: start to first answer, and the answers of a loaded shop after that',
  async run(part) {
    const folders = new Map<number, string>();
    for (const shops of part.effort.shopsOnDisk) {
      part.step(`making ${shopsText(shops)}`);
      folders.set(shops, await coldFolder(part, shops));
    }
    const results = new Rounds();
    await measureStarts(part, folders, results);
    await measureAnswers(part, folders, results);
    results.recordTo(part);
    part.note(
      'The start counts from before the process exists. The data file is in the cache of the system.',
    );
  },
};
