/** Installs the package as on a production machine, and starts the service from it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { projectRoot, readText } from '../house/project-files.ts';
import { cleanEnvironment, DEMO_KEY } from './server-process.ts';

/** npm's message when the registry cannot be reached. */
export const IS_UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

/** The files that npm packs from the project; a copy, so that the data folder of a running server is not touched. */
export function copyPackage(folder: string): void {
  const { files } = JSON.parse(readText('package.json')) as { files: string[] };
  const named = files.filter((path) => !path.startsWith('!'));
  for (const path of ['package.json', 'README.md', 'LICENSE', ...named]) {
    if (existsSync(join(projectRoot, path))) {
      cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
    }
  }
}

interface LockedPackage {
  readonly dev?: boolean;
}

/** Folders of the packages of an installation, without nested packages. */
export function installedPlaces(): string[] {
  const { packages } = JSON.parse(readText('package-lock.json')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(packages)
    .filter(([place, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place) && dev !== true)
    .map(([place]) => place)
    .filter((place) => existsSync(join(projectRoot, place)));
}

/** Makes in `folder` the result of `npm install --omit=dev`, without a registry. */
export function installPackage(folder: string): void {
  const installed = join(folder, 'node_modules/ratewright');
  mkdirSync(installed, { recursive: true });
  copyPackage(installed);
  for (const place of installedPlaces()) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    symlinkSync(join(projectRoot, place), join(folder, place));
  }
  mkdirSync(join(folder, 'node_modules/.bin'));
  symlinkSync('../ratewright/dist/program/cli.js', join(folder, 'node_modules/.bin/ratewright'));
}

/** A service that was started with any command, as by a person or a supervisor. */
export class RunningService {
  readonly url: string;
  readonly process: ChildProcess;
  readonly output: { text: string };

  private constructor(url: string, process: ChildProcess, output: { text: string }) {
    this.url = url;
    this.process = process;
    this.output = output;
  }

  /** Resolves when it prints where it listens. */
  static async start(
    context: TestContext,
    folder: string,
    command: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<RunningService> {
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...cleanEnvironment(),
        NODE_V8_COVERAGE: '',
        RATEWRIGHT_PORT: '0',
        RATEWRIGHT_DATA: join(folder, 'db'),
        RATEWRIGHT_DEMO_KEY: DEMO_KEY,
        ...environment,
      },
    });
    const output = { text: '' };
    const url = new Promise<string>((resolve, reject) => {
      const take = (chunk: Buffer): void => {
        output.text += chunk;
        const [, found] = /^Ratewright listens on (\S+)$/m.exec(output.text) ?? [];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.once('error', reject);
      child.once('close', (code) => reject(new Error(`ended with ${code}: ${output.text}`)));
    });
    context.after(() => {
      // The process id of the server, which outlives npm when the signal does not reach it.
      const [, pid] = /"pid":([0-9]+)/.exec(output.text) ?? [];
      if (pid === undefined || /service\.stopped/.test(output.text)) return;
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {}
    });
    return new RunningService(await url, child, output);
  }

  async status(path: string, key?: string): Promise<number> {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return (await fetch(this.url + path, { headers })).status;
  }

  /** Sends SIGTERM to the process that was started; resolves with its exit code when it and its output have ended. */
  async stop(): Promise<number | null> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    return (await ended)[0] as number | null;
  }
}
