/** Nodes of one database: server processes, each with a data folder of its own. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cleanEnvironment, ServerProcess, temporaryFolder } from '../../support/server-process.ts';

export interface StartedNode {
  readonly server: ServerProcess;
  readonly folder: string;
}

type Environment = Readonly<Record<string, string>>;

export class StartedNodes {
  readonly #environment: Environment;
  readonly #servers: ServerProcess[] = [];
  readonly #folders: { readonly path: string; readonly discard: () => Promise<void> }[] = [];

  constructor(url: string, environment: Environment = {}) {
    this.#environment = {
      RATEWRIGHT_DATABASE_URL: url,
      RATEWRIGHT_DATABASE_COPIES: 'managed',
      RATEWRIGHT_SECRET_KEY: 'a_key_that_all_nodes_of_the_test_have',
      ...environment,
    };
  }

  /** A further node, on a new folder or on that of an earlier one. */
  async start(environment: Environment = {}, folder?: string): Promise<StartedNode> {
    const path = folder ?? (await this.newFolder());
    const server = await ServerProcess.start(path, { ...this.#environment, ...environment });
    this.#servers.push(server);
    return { server, folder: path };
  }

  async newFolder(): Promise<string> {
    const folder = await temporaryFolder();
    this.#folders.push(folder);
    return `${folder.path}/data`;
  }

  /** Runs a command that asks the first node over the socket in its folder; what it prints. */
  async command(...words: readonly string[]): Promise<string> {
    const [first] = this.#folders;
    return this.commandAt(`${first?.path}/data`, ...words);
  }

  /** The same at the node with this folder. */
  async commandAt(folder: string, ...words: readonly string[]): Promise<string> {
    return this.#run(folder, words);
  }

  /** Runs a command where no node runs: it is a node for as long as it works. */
  async commandAlone(...words: readonly string[]): Promise<string> {
    return this.#run(await this.newFolder(), words);
  }

  async #run(folder: string, words: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, ['dist/program/cli.js', ...words], {
      env: { ...cleanEnvironment(), ...this.#environment, RATEWRIGHT_DATA: folder },
    });
    return stdout;
  }

  /** A shop with a key, made by commands. */
  async newShop(name: string, plan: string): Promise<{ readonly shop: string; readonly key: string }> {
    const words = ['--name', name, '--currency', 'EUR', '--plan', plan];
    const shop = (await this.command('shop', 'create', ...words)).trim();
    const [key = ''] = (await this.command('key', 'create', '--shop', shop)).split('\n');
    return { shop, key };
  }

  /** Ends all of them, also those that are stopped. */
  async discard(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop('SIGKILL')));
    await Promise.all(this.#folders.map(({ discard }) => discard()));
  }
}
