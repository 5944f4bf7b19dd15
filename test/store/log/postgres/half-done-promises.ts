/** What the adapter says where only a part of its statements was carried out, or the server changed under it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { settleAppend } from '../../../../src/store/log/append-definitely.ts';
import { type Authority, AuthorityUnavailableError } from '../../../../src/store/log/authority.ts';
import { openPostgresAuthority } from '../../../../src/store/log/postgres/postgres-authority.ts';
import { headAfter } from '../../../../src/store/log/record-codec.ts';
import type { PostgresServer } from '../../../support/postgres/postgres-server.ts';
import { soon } from '../authority-faults.ts';
import { appendMarks, groupOf, kindOf, marksBehind, newShop } from '../authority-shops.ts';

const NODE = { node: 'node of a test', readsFormat: 1 };

/** Runs the statements in a transaction; the result commits it. */
async function holding(url: string, ...statements: readonly string[]): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  for (const statement of ['BEGIN', ...statements]) await holder.query(statement);
  return async () => {
    await holder.query('COMMIT');
    await holder.end();
  };
}

/** Which of these shops a beat names. */
async function namedIn(authority: Authority, shopIds: readonly string[]): Promise<readonly string[] | null> {
  const changed = (await authority.beat())?.changed ?? null;
  return changed?.map(({ shopId }) => shopId).filter((shopId) => shopIds.includes(shopId)) ?? null;
}

export function halfDonePromises(serverOf: () => PostgresServer): void {
  const open = (url: string, answerMsMax = 30_000) =>
    openPostgresAuthority({ url, copies: 'managed', answerMsMax });

  test('PostgreSQL: a group that is stored while the list of nodes cannot be read is of unknown outcome, and settled as stored', async () => {
    const url = await serverOf().newDatabase('unlisted');
    const authority = await open(url, 1_000);
    const { shopId, head } = await newShop(authority, 'a');
    // Opens the connection of the turns.
    await authority.takeTurn(shopId, async () => null);
    const end = await holding(url, 'LOCK TABLE rw_nodes IN ACCESS EXCLUSIVE MODE');
    const group = groupOf(shopId, head, 'b');
    assert.equal(await kindOf(authority.append(group)), 'outcomeUnknown');
    const inTurn = groupOf(shopId, headAfter(group), 'c');
    assert.equal(await kindOf(authority.takeTurn(shopId, async () => inTurn)), 'outcomeUnknown');
    await end();
    for (const stored of [group, inTurn]) {
      assert.equal((await settleAppend(authority, stored, soon)).kind, 'appended');
    }
    assert.deepEqual(await marksBehind(authority, shopId), ['1:a', '2:b', '3:c']);
    await authority.close();
  });

  test('PostgreSQL: the changes of a beat that failed are named by the next one', async () => {
    const url = await serverOf().newDatabase('half_beaten');
    const [authority, other] = await Promise.all([open(url), open(url)]);
    await authority.join({ ...NODE, readsFormat: 2 });
    const run = async (text: string) => void (await serverOf().queryDatabase('half_beaten', text));
    await run(`CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN
      IF NEW.write_format <> OLD.write_format THEN RAISE 'not now'; END IF; RETURN NEW; END $$ LANGUAGE plpgsql`);
    await authority.beat();
    await run('UPDATE rw_cluster SET write_format = 1');
    await run('CREATE TRIGGER refuse BEFORE UPDATE ON rw_cluster FOR EACH ROW EXECUTE FUNCTION refuse()');
    const { shopId } = await newShop(other, 'a');
    await assert.rejects(authority.beat(), (error: Error) => {
      assert.ok(error instanceof AuthorityUnavailableError);
      assert.match(error.message, /not now/);
      return true;
    });
    await run('DROP TRIGGER refuse ON rw_cluster');
    assert.deepEqual(await namedIn(authority, [shopId]), [shopId]);
    await Promise.all([authority.close(), other.close()]);
  });

  test('PostgreSQL: a transaction that stays open does not make beats name shops again; what it wrote is named at its end', async () => {
    const url = await serverOf().newDatabase('long_transaction');
    const [authority, writer] = await Promise.all([open(url), open(url)]);
    const shops = [await newShop(writer, 'a'), await newShop(writer, 'a')];
    const [held, other] = shops.map(({ shopId }) => shopId);
    assert.ok(held !== undefined && other !== undefined);
    await authority.join(NODE);
    assert.equal(await namedIn(authority, []), null);
    const end = await holding(
      url,
      `UPDATE rw_heads SET changed = pg_current_xact_id() WHERE shop = '${held}'`,
    );
    const ids = shops.map(({ shopId }) => shopId);
    let { head } = shops[1] ?? assert.fail();
    for (let mark = 0; mark < 3; mark++) {
      head = await appendMarks(writer, other, head, mark);
      assert.deepEqual(await namedIn(authority, ids), [other]);
      assert.deepEqual(await namedIn(authority, ids), []);
    }
    await end();
    assert.deepEqual(await namedIn(authority, ids), [held]);
    await Promise.all([authority.close(), writer.close()]);
  });
}
