/** A real server with a shop of many methods and rules, and the carts to load it with. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeRequests } from '../../bench/profiles/cart-maker.ts';
import { makeHeavy } from '../../bench/profiles/heavy.ts';
import { SeededRandom } from '../../bench/profiles/seeded-random.ts';
import { callCommand } from '../cli/run-command.ts';
import { projectRoot } from '../house/project-files.ts';
import { DEMO_KEY, ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { wireText } from './flood.ts';

/** Environment of a server that collects all garbage on SIGUSR2, so that the memory in use can be measured. */
export const COLLECTING = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(projectRoot, 'dist/test/support/collecting.js')).href}`,
};
/** In this country 40 methods with 20 rules each apply to a cart. */
const COSTLY_COUNTRY = 'AU';

/** Number of attempts to see a promise, because the machine may have been suspended or busy. */
const LOOKS_MAX = 5;
/** A measurement is void when the server waited for a core for a larger share of the time. */
const WAITED_SHARE_MAX = 0.2;

export interface LoadStage {
  readonly server: ServerProcess;
  readonly port: number;
  readonly dataFolder: string;
  /** The current metrics without labels. Delays of the event loop are since the last call. */
  metrics(...names: string[]): Promise<readonly number[]>;
  /** Makes another shop with the same configuration; resolves with its key. */
  addShop(id: string): Promise<string>;
}

/** Starts the server with the configuration of the bench's heavy profile in its demo shop; `flags` are Node's. */
export async function openLoadStage(
  context: TestContext,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<LoadStage> {
  const folder = await temporaryFolder();
  const dataFolder = join(folder.path, 'data');
  const server = await ServerProcess.start(dataFolder, environment, [], flags);
  context.after(async () => {
    await server.stop('SIGKILL');
    await folder.discard();
  });
  const configure = async (key: string): Promise<void> => {
    const body = { action: 'execute', data: makeHeavy().light.config };
    const reply = await server.call('/api/config', { body, key });
    assert.equal(reply.status, 200, reply.text);
  };
  await configure(DEMO_KEY);
  return {
    server,
    port: Number(new URL(server.url).port),
    dataFolder,
    async metrics(...names) {
      const { text } = await server.call('/metrics', { key: null });
      return names.map((name) => {
        const found = new RegExp(`^${name} ([0-9.e+-]+)$`, 'm').exec(text)?.[1];
        assert.ok(found !== undefined, `${name} is no metric`);
        return Number(found);
      });
    },
    async addShop(id) {
      const run = async (...words: string[]): Promise<string> => {
        const { code, stdout, stderr } = await callCommand(dataFolder, words);
        assert.equal(code, 0, stderr);
        return stdout;
      };
      await run('shop', 'create', '--id', id, '--name', id, '--currency', 'USD', '--plan', 'enterprise');
      const made = await run(
        'key',
        'create',
        '--shop',
        id,
        '--label',
        'A',
        '--permission',
        'admin',
        '--json',
      );
      const { secret } = JSON.parse(made) as { readonly secret: string };
      await configure(secret);
      return secret;
    },
  };
}

/** Carts with this many items; `costly` ones have a destination with many rules. */
export function cartRequests(key: string, items: number, isCostly: boolean, count = 50): readonly Buffer[] {
  const destination = () => ({ country: COSTLY_COUNTRY, postalCode: '3000' });
  const shape = isCostly ? { items, destination } : { items };
  return makeRequests(new SeededRandom(5), shape, count).map((request) =>
    wireText({ path: '/api/simulate', key, body: JSON.stringify(request) }),
  );
}

/**
 * Repeats a measurement of speed: `look` resolves with the defect, or null. Fails when the last measurement has a
 * defect although the server always had a core.
 */
export async function untilShown(
  context: TestContext,
  server: ServerProcess,
  look: () => Promise<string | null>,
): Promise<void> {
  for (let looks = 1; ; looks++) {
    const [startMs, beforeMs] = [performance.now(), waitedMs(server)];
    const wrong = await look();
    if (wrong === null) return;
    const waitedShare = (waitedMs(server) - beforeMs) / (performance.now() - startMs);
    if (looks < LOOKS_MAX) continue;
    assert.ok(waitedShare > WAITED_SHARE_MAX, wrong);
    const share = `${Math.round(waitedShare * 100)} % of the time`;
    context.diagnostic(`NOT SHOWN: the server waited for a processor ${share}; ${wrong}`);
    return;
  }
}

/**
 * Total time for which the server's main thread was ready to run and had no core; 0 if the system does not report it.
 */
function waitedMs({ process: { pid } }: ServerProcess): number {
  const path = `/proc/${pid}/schedstat`;
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6 : 0;
}
