// SIGKILL while changesets are entered, written to, promoted and discarded, and versions are rolled back:
// acknowledged writes are there, a promotion is complete or absent, and nothing of a discarded changeset is left. The
// long form is the same as for the other kills: `RATEWRIGHT_KILLS=200 npm test -- kill`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { callCommand } from '../cli/run-command.ts';
import { type Reply, ServerProcess, temporaryFolder } from '../support/server-process.ts';

/** A kill here takes three times as long as in the test with one kind of write. */
const KILLS = Math.ceil(Number(process.env['RATEWRIGHT_KILLS'] ?? 6) / 3);
/** Number of kills per log; then all its versions are compared and it is verified. */
const KILLS_PER_LOG = 20;
const WRITERS = 6;
/** Answers to enter, write and promote once. */
const ROUND_ANSWERS = WRITERS + 2;
/** A server is killed after at most this many answers. */
const ANSWERS_MAX = 60;
const PAGE = 100;

interface Row {
  readonly id: string;
  readonly number: number;
  readonly createdBy: string;
  readonly batchId: string | null;
}

/** The state of the shop as the client knows it, and its last request. */
class StagingClient {
  readonly #server: ServerProcess;
  /** Names of the groups of the live configuration. */
  live: readonly string[];
  /** The changeset: names of the groups that it adds; `unknown` are those that it may have added. */
  staging: { readonly id: string; readonly added: string[]; readonly unknown: string[] } | null;
  /** Answers of this server. */
  answers = 0;
  /** The pending request, which may or may not have been executed after a kill. */
  asked: 'enter' | 'write' | 'promote' | 'discard' | 'rollback' | null = null;
  /** The live groups if the pending rollback was executed. */
  #restored: readonly string[] = [];
  /** Possible targets of a rollback, with their groups. */
  readonly versions: { readonly id: string; readonly names: readonly string[] }[] = [];
  readonly counts = { promoted: 0, discarded: 0, rolledBack: 0 };
  /** Ended changesets: id -> number of writes that became versions. */
  readonly ended = new Map<string, number>();

  constructor(server: ServerProcess, before: StagingClient | null) {
    this.#server = server;
    this.live = before?.live ?? [];
    this.staging = before?.staging ?? null;
    this.versions.push(...(before?.versions ?? []));
    if (before === null) return;
    this.counts = before.counts;
    this.ended = before.ended;
  }

  /** Sends requests until the server is killed. */
  async work(prefix: string): Promise<void> {
    try {
      for (let round = 0; ; round++) {
        if (this.staging === null) await this.#enter();
        await this.#write(`${prefix}-${round}`);
        await this.#end(round % 3 === 1 ? 'discard' : 'promote');
        if (round % 2 === 1) await this.#rollBack();
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
    }
  }

  async #post(path: string, body: object, status: number): Promise<Reply> {
    let reply = await this.#server.call(path, { body });
    // An overloaded server has written nothing.
    for (; reply.status === 429; reply = await this.#server.call(path, { body })) await wait(20);
    assert.equal(reply.status, status, reply.text);
    this.answers++;
    return reply;
  }

  async #enter(): Promise<void> {
    this.asked = 'enter';
    const { body } = await this.#post('/api/staging', { action: 'enter' }, 200);
    this.staging = { id: (body as { staging: { id: string } }).staging.id, added: [], unknown: [] };
  }

  async #write(prefix: string): Promise<void> {
    this.asked = 'write';
    const { staging } = this;
    assert.ok(staging !== null);
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      const name = `${prefix}-${writer}`;
      staging.unknown.push(name);
      await this.#post('/api/groups', { name, skus: [name] }, 201);
      staging.unknown.splice(staging.unknown.indexOf(name), 1);
      staging.added.push(name);
    });
    const [failed] = (await Promise.allSettled(writers)).filter(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  async #end(action: 'promote' | 'discard'): Promise<void> {
    this.asked = action;
    const { body } = await this.#post('/api/staging', { action }, 200);
    this.hasEnded(action, (body as { version?: { id: string } }).version?.id ?? null);
  }

  hasEnded(action: 'promote' | 'discard', versionId: string | null): void {
    const { staging } = this;
    assert.ok(staging !== null);
    this.ended.set(staging.id, action === 'promote' ? staging.added.length : 0);
    this.counts[action === 'promote' ? 'promoted' : 'discarded']++;
    if (action === 'promote') this.live = [...this.live, ...staging.added];
    if (versionId !== null) this.versions.push({ id: versionId, names: this.live });
    this.staging = null;
  }

  async #rollBack(): Promise<void> {
    const target = this.versions[Math.floor(this.versions.length / 2)];
    if (target === undefined) return;
    this.asked = 'rollback';
    this.#restored = target.names;
    await this.#post('/api/versions', { action: 'rollback', targetVersionId: target.id }, 200);
    this.live = target.names;
    this.counts.rolledBack++;
  }

  async #namesOf(view: string): Promise<string[]> {
    const { body } = await this.#server.call(`/api/groups?view=${view}`);
    const { groups } = body as { groups: { name: string; skus: string[]; isDefault: boolean }[] };
    const added = groups.filter(({ name, isDefault }) => !isDefault && name.startsWith('k'));
    for (const { name, skus } of added) assert.deepEqual(skus, [name], 'a group is there in part');
    return added.map(({ name }) => name).sort();
  }

  /**
   * Compares the server after a kill with the possible results of the last request, and adopts the one that matches.
   */
  async follow(asked: StagingClient['asked']): Promise<void> {
    const { body } = await this.#server.call('/api/staging');
    const id = (body as { staging: { id: string } | null }).staging?.id ?? null;
    const live = await this.#namesOf('live');
    const sorted = (names: readonly string[]) => [...names].sort();
    if (asked === 'enter' && id !== null) this.staging = { id, added: [], unknown: [] };
    else if (asked === 'promote' && id === null) this.hasEnded('promote', null);
    else if (asked === 'discard' && id === null) this.hasEnded('discard', null);
    else if (asked === 'rollback' && live.join() === sorted(this.#restored).join())
      this.live = this.#restored;
    assert.equal(id, this.staging?.id ?? null, `the changeset after ${asked}`);
    assert.deepEqual(live, sorted(this.live), `what is live after ${asked}`);
    if (this.staging === null) return;
    const staged = await this.#namesOf('staged');
    const { added, unknown } = this.staging;
    const arrived = unknown.filter((name) => staged.includes(name));
    assert.deepEqual(staged, sorted([...this.live, ...added, ...arrived]), `what is staged after ${asked}`);
    this.staging = { id: this.staging.id, added: [...added, ...arrived], unknown: [] };
  }

  restoresAsIn(before: StagingClient): void {
    this.#restored = before.#restored;
  }
}

async function allVersions(server: ServerProcess): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = null; ; ) {
    const from = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await server.call(`/api/versions?limit=${PAGE}&includeBatched=true${from}`);
    const page = body as { versions: Row[]; nextCursor: string | null };
    rows.push(...page.versions);
    if (page.nextCursor === null) return rows.reverse();
    cursor = page.nextCursor;
  }
}

test(`changesets survive ${KILLS} kills completely`, { timeout: 8 * 60 * 60 * 1000 }, async (context) => {
  const counts = { promoted: 0, discarded: 0, rolledBack: 0 };
  for (let first = 0; first < KILLS; first += KILLS_PER_LOG) {
    const folder = await temporaryFolder();
    context.after(folder.discard);
    const here = await surviveKills(folder.path, Math.min(KILLS_PER_LOG, KILLS - first));
    counts.promoted += here.promoted;
    counts.discarded += here.discarded;
    counts.rolledBack += here.rolledBack;
    const { code, stdout } = await callCommand(folder.path, ['verify']);
    assert.equal(code, 0, stdout);
    await folder.discard();
  }
  const { promoted, discarded, rolledBack } = counts;
  context.diagnostic(
    `${KILLS} kills; ${promoted} promoted, ${discarded} discarded, ${rolledBack} rolled back`,
  );
  assert.ok(promoted > 0, 'nothing was promoted');
});

/** Kills servers of one log this often, then compares all its versions; returns the counts. */
async function surviveKills(data: string, kills: number): Promise<StagingClient['counts']> {
  let before: StagingClient | null = null;
  for (let kill = 0; ; kill++) {
    const server = await ServerProcess.start(data);
    try {
      const client: StagingClient = new StagingClient(server, before);
      if (before !== null) {
        client.restoresAsIn(before);
        await client.follow(before.asked);
      }
      if (kill === kills) {
        await assertBatches(server, client.ended);
        assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
        return client.counts;
      }
      before = client;
      const work = client.work(`k${kill}`);
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      work.then(end, end);
      // By answers and not by time, so that a slow machine promotes too: the last server of a log ends a round.
      const least = kill === kills - 1 ? ROUND_ANSWERS : 0;
      const most = least + Math.random() * (ANSWERS_MAX - least);
      while (client.answers < most && !isOver) await wait(1);
      assert.equal(await server.stop('SIGKILL'), 'SIGKILL', server.output.stderr);
      await work;
    } finally {
      await server.stop('SIGKILL');
    }
  }
}

/** No version is missing, and each ended changeset made one version per write, or none. */
async function assertBatches(server: ServerProcess, ended: ReadonlyMap<string, number>): Promise<void> {
  const rows = await allVersions(server);
  for (const [index, row] of rows.entries()) assert.equal(row.number, index + 1, 'a version is missing');
  for (const [id, size] of ended) {
    const batch = rows.filter(({ batchId }) => batchId === id);
    assert.equal(batch.length, size, 'a changeset makes one version per write');
    for (const { createdBy } of batch) assert.equal(createdBy, 'promotion');
  }
  const promotions = rows.filter(({ createdBy }) => createdBy === 'promotion');
  assert.ok(promotions.every(({ batchId }) => ended.has(batchId ?? '')));
}
