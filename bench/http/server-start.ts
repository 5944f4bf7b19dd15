/** Starts the servers that are compared: the service, the two floors and the peers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartRun } from '../part.ts';
import { type Peer, peerScript } from '../peer-install.ts';
import type { Child } from '../process/child-processes.ts';
import type { Role } from '../process/core-plan.ts';
import type { Profile } from '../profiles/profile.ts';
import { PROJECT_FOLDER, projectPath, scriptPath } from '../project-paths.ts';
import { answered, withClient } from './admin-client.ts';
import {
  ANSWER_FORMS,
  BENCH_KEY,
  HOST,
  type Listening,
  type MeasuredServer,
  SIMULATE_PATH,
} from './measured-server.ts';

const AUTHORIZATION = `Bearer ${BENCH_KEY}`;
const START_MS_MAX = 60_000;

export async function startFloor(
  part: PartRun,
  floor: 'a' | 'b',
  answerBytes: number,
): Promise<MeasuredServer> {
  const name = floor === 'a' ? 'floor A' : 'floor B';
  const mode = floor === 'a' ? 'read' : 'parse';
  const child = part.children.startNode(
    name,
    scriptPath('http/floor-process.js'),
    [mode, String(answerBytes)],
    {
      role: 'server',
      hasChannel: true,
    },
  );
  const { port } = (await child.message()) as Listening;
  return { id: `floor-${floor}`, name, child, port, path: SIMULATE_PATH, authorization: AUTHORIZATION };
}

/** Resolves with the port once the service has printed its address. */
async function announcedPort(child: Child): Promise<number> {
  const end = Date.now() + START_MS_MAX;
  while (Date.now() < end) {
    const port = /http:\/\/127\.0\.0\.1:([0-9]+)/.exec(child.stdout)?.[1];
    if (port !== undefined) return Number(port);
    if (child.hasEnded) throw child.failure('ended while it started');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw child.failure('did not say where it listens');
}

/** The service on a data folder. */
export async function startService(
  part: PartRun,
  dataFolder: string,
  environment: Readonly<Record<string, string>> = {},
  role: Role = 'server',
): Promise<MeasuredServer> {
  const child = part.children.startNode('ratewright', projectPath('dist/program/cli.js'), ['serve'], {
    role,
    cwd: PROJECT_FOLDER,
    env: {
      RATEWRIGHT_PORT: '0',
      RATEWRIGHT_HOST: HOST,
      RATEWRIGHT_DATA: dataFolder,
      RATEWRIGHT_DEMO_KEY: BENCH_KEY,
      RATEWRIGHT_LOG_LEVEL: 'error',
      ...environment,
    },
  });
  const port = await announcedPort(child);
  return { ...ANSWER_FORMS[0], child, port, authorization: AUTHORIZATION };
}

/** Gives the demo shop of a fresh server the configuration of a profile, over the wire like any client. */
export async function configure(server: MeasuredServer, { config, settings }: Profile): Promise<void> {
  await withClient(server, async (client) => {
    answered(await client.updateShop(settings));
    answered(await client.replaceConfig({ action: 'execute', data: config }));
  });
}

/** The service with a shop of this profile, on a fresh data folder. */
export async function startServiceWith(
  part: PartRun,
  profile: Profile,
  environment: Readonly<Record<string, string>> = {},
  role: Role = 'server',
): Promise<MeasuredServer> {
  const server = await startService(part, part.folders.make('service'), environment, role);
  await configure(server, profile);
  return server;
}

/** A peer with a shop of this profile. */
export async function startPeer(part: PartRun, peer: Peer, profile: Profile): Promise<MeasuredServer> {
  const { id, name } = peer;
  const shopFile = join(part.folders.make(id), 'shop.json');
  writeFileSync(shopFile, JSON.stringify({ settings: profile.settings, config: profile.config }));
  const child = part.children.startNode(name, peerScript(peer), [shopFile, BENCH_KEY], {
    role: 'server',
    hasChannel: true,
    env: { NODE_ENV: 'production' },
  });
  const { port } = (await child.message()) as Listening;
  return { id, name, child, port, path: SIMULATE_PATH, authorization: AUTHORIZATION };
}
