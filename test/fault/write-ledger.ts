/**
 * Writers over HTTP, and their record of the answers, which is compared with the server after a later start.
 */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerProcess } from '../support/server-process.ts';

export class WriteLedger {
  /** Names of groups that were answered 201. */
  readonly accepted: string[] = [];
  /** Names of groups that were answered 500, or not at all: they may exist, but complete. */
  readonly unknown: string[] = [];
  /** Names of groups that were refused for another reason: they must not exist. */
  readonly refused: string[] = [];

  /** Makes groups one after the other until the server fails, refuses or has ended, or `count` are made. */
  async write(server: ServerProcess, prefix: string, count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const name = `${prefix}-${index}`;
      const reply = await server.call('/api/groups', { body: { name, skus: [name] } }).catch(() => null);
      if (reply?.status === 201) this.accepted.push(name);
      else if (reply?.status === 429 || reply?.status === 503) {
        // The machine is busy or lacks something for a moment: nothing was written, and the next attempt may succeed.
        this.refused.push(name);
        await wait(20);
      } else {
        (reply === null || reply.status === 500 ? this.unknown : this.refused).push(name);
        return;
      }
    }
  }

  /** Runs several writers concurrently. */
  async writeTogether(server: ServerProcess, prefix: string, writers: number, count: number): Promise<void> {
    const all = Array.from({ length: writers }, (_, writer) =>
      this.write(server, `${prefix}-${writer}`, count),
    );
    await Promise.all(all);
  }

  /** Checks that every acknowledged group exists once, no refused group exists, and each group is complete. */
  async check(server: ServerProcess, when: string): Promise<void> {
    const reply = await server.call('/api/groups');
    assert.equal(reply.status, 200, reply.text);
    const { groups } = reply.body as { groups: { name: string; skus: string[]; isDefault: boolean }[] };
    const names = groups.map(({ name }) => name);
    const there = new Set(names);
    assert.equal(there.size, names.length, `${when}: a group is there twice`);
    const lost = this.accepted.filter((name) => !there.has(name));
    assert.deepEqual(lost, [], `${when}: lost`);
    const visible = this.refused.filter((name) => there.has(name));
    assert.deepEqual(visible, [], `${when}: refused and there`);
    const known = new Set([...this.accepted, ...this.unknown]);
    for (const { name, skus } of groups) if (known.has(name)) assert.deepEqual(skus, [name], when);
  }
}
