/**
 * A CPU profile of the service under closed loop: a file for a viewer, and its longest functions as tables. The
 * profiler takes time of its own, so the figures of this part are no measurement of throughput.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join, relative } from 'node:path';
import { CONNECTIONS, LoadGenerator } from '../load/load-generator.ts';
import { writeBodies } from '../load/load-target.ts';
import { type Part, type PartRun, profilesOf } from '../part.ts';
import { SourcePlaces } from '../process/source-place.ts';
import { bodiesOf, type Profile } from '../profiles/profile.ts';
import { makeTypical } from '../profiles/typical.ts';
import { PROJECT_FOLDER, projectPath, scriptPath } from '../project-paths.ts';
import { areaTimesOf, type FunctionTime, selfTimesOf } from '../report/cpu-profile.ts';
import { formatShare, formatValue } from '../report/number-format.ts';
import { formatTable, left, right } from '../report/text-table.ts';
import { type MeasuredServer, targetOf } from './measured-server.ts';
import { startServiceWith } from './server-start.ts';

const FUNCTIONS_SHOWN = 20;
const WAIT_MS_MAX = 20_000;

interface RecordedLoad {
  readonly functions: readonly FunctionTime[];
  readonly answers: number;
  /** Where the profile stays. */
  readonly file: string;
}

async function waitForFile(server: MeasuredServer, file: string): Promise<void> {
  const end = Date.now() + WAIT_MS_MAX;
  while (!existsSync(file)) {
    if (server.child.hasEnded) throw server.child.failure('ended while it was profiled');
    if (Date.now() > end) throw new Error('the service wrote no profile');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function recordLoad(part: PartRun, load: LoadGenerator, profile: Profile): Promise<RecordedLoad> {
  const folder = part.folders.make('profile');
  const bodiesFile = writeBodies(folder, profile.name, bodiesOf(profile));
  const recorded = join(folder, 'recorded.cpuprofile');
  part.step(`${profile.name}: starting`);
  const server = await startServiceWith(part, profile, {
    NODE_OPTIONS: `--import=${scriptPath('process/profile-recorder.js')} ${process.env['NODE_OPTIONS'] ?? ''}`,
    BENCH_PROFILE_FILE: recorded,
  });
  const target = targetOf(server, bodiesFile);
  const { warmupSeconds, openLoopSeconds: seconds } = part.effort;
  part.step(`${profile.name}: warm-up`);
  await load.closedLoop({ target, connections: CONNECTIONS, seconds: warmupSeconds });
  part.step(`${profile.name}: under load`);
  process.kill(server.child.pid, 'SIGUSR2');
  const { answers } = await load.closedLoop({ target, connections: CONNECTIONS, seconds });
  process.kill(server.child.pid, 'SIGUSR2');
  await waitForFile(server, recorded);
  await server.child.stop();
  const kept = projectPath('dist/profiles');
  mkdirSync(kept, { recursive: true });
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const file = join(kept, `${profile.name}-${time}.cpuprofile`);
  copyFileSync(recorded, file);
  const functions = selfTimesOf(JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile);
  return { functions, answers, file };
}

function noteTable(part: PartRun, table: string): void {
  for (const line of ['', ...table.split('\n'), '']) part.note(line);
}

function noteTimes(part: PartRun, { functions, answers }: RecordedLoad): void {
  const places = new SourcePlaces();
  const inSource = functions.map((one) => ({
    ...one,
    url: places.pathOf(one.url, one.lineNumber, one.columnNumber),
  }));
  const busyUs = functions.reduce((sum, { selfUs }) => sum + selfUs, 0);
  const cells = (us: number) => [formatShare(us / busyUs), formatValue(us / answers, 'us')];
  const columns = [right('busy time'), right('per answer')];
  noteTable(
    part,
    formatTable(
      [...columns, left('where')],
      areaTimesOf(inSource).map(([area, us]) => [...cells(us), area]),
    ),
  );
  noteTable(
    part,
    formatTable(
      [...columns, left('function'), left('place')],
      functions
        .slice(0, FUNCTIONS_SHOWN)
        .map(({ selfUs, functionName, url, lineNumber, columnNumber }) => [
          ...cells(selfUs),
          functionName === '' ? '(anonymous)' : functionName,
          places.placeOf(url, lineNumber, columnNumber),
        ]),
    ),
  );
}

export const profilePart: Part = {
  id: 'http/profile',
  title: 'CPU profile of the service under closed loop: where the time of an answer goes',
  takesShop: true,
  async run(part) {
    const load = new LoadGenerator(part);
    for (const profile of profilesOf(part, () => [makeTypical()])) {
      const recorded = await recordLoad(part, load, profile);
      part.note(
        `${profile.name}: ${profile.description}; ${recorded.answers.toLocaleString('en-US')} answers.`,
      );
      part.note(
        'Time in a function itself, main thread only, idle time left out; the profiler adds its own.',
      );
      noteTimes(part, recorded);
      part.note(`written: ${relative(PROJECT_FOLDER, recorded.file)}`);
      part.note(
        'To open it: Chrome or Edge, DevTools, Performance, "Load profile" (or drop the file there); ' +
          'https://www.speedscope.app, drop the file on the page; VS Code opens it as it is.',
      );
    }
  },
};
