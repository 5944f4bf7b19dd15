/**
 * The SQL statement that appends groups of many shops in one transaction. It locks the heads that match the expected
 * ones, sorted by shop so that two nodes cannot deadlock, updates these heads and inserts the records of these groups.
 * A group whose head does not match changes nothing and is absent from the result; the statement does not fail.
 *
 * All records are sent as one bytea, because an array of bytea is sent as text of twice the length. It is the last
 * parameter, because pg copies its buffer to a larger one when a parameter that follows does not fit.
 */
import type { AppendGroup, HashedRecord } from '../authority.ts';
import { headAfter } from '../record-codec.ts';
import { numbers, type Parameter, type Statement, texts } from './connection.ts';
import { PART_BYTES } from './schema.ts';

export const HASH_AT = (ordinal: string) => `FROM (${ordinal}::int - 1) * 32 + 1 FOR 32`;

/**
 * An IN condition in place of a join of two lists. `connectionSettings` makes every join a nested loop, so a join of
 * two lists would take quadratic time; the server answers an IN condition from a hash table.
 */
const isIn = (value: string, list: string) => `(${value} IN (SELECT ${list})) IS TRUE`;

const append = (bytes: string) => `
WITH g AS MATERIALIZED (
  SELECT g.* FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS g(shop, expected, next, n)),
lock AS MATERIALIZED (
  SELECT s.shop, g.n, g.next FROM rw_heads s JOIN g USING (shop)
  WHERE s.seq = g.expected AND NOT s.deleted AND s.hash = substring($4::bytea ${HASH_AT('g.n')})
  ORDER BY s.shop FOR UPDATE OF s),
moved AS (
  UPDATE rw_heads s
  SET seq = lock.next, hash = substring($5::bytea ${HASH_AT('lock.n')}), changed = pg_current_xact_id()
  FROM lock WHERE s.shop = lock.shop RETURNING lock.n),
made AS (
  INSERT INTO rw_heads (shop, seq, hash)
  SELECT g.shop, g.next, substring($5::bytea ${HASH_AT('g.n')}) FROM g WHERE g.expected = 0 ORDER BY g.shop
  ON CONFLICT (shop) DO NOTHING RETURNING shop),
won AS MATERIALIZED (
  SELECT n FROM moved
  UNION ALL
  SELECT n FROM g WHERE expected = 0 AND ${isIn('shop', 'shop FROM made')}),
stored AS (
  INSERT INTO rw_records (shop, seq, part, hash, stored)
  SELECT ($1::text[])[r.n], r.seq, r.part,
    substring($7::bytea ${HASH_AT('r.i')}), substring(${bytes}::bytea FROM r.at + 1 FOR r.length)
  FROM unnest($6::bigint[], $8::bigint[], $9::int[], $10::int[], $11::int[])
    WITH ORDINALITY AS r(n, seq, part, at, length, i)
  WHERE ${isIn('r.n', 'n FROM won')})`;

/** Changes to other tables than heads and records. */
const EXTRAS = `,
shops AS MATERIALIZED (
  SELECT g.n, g.shop FROM g WHERE ${isIn('g.n', 'n FROM won')}),
key_made AS MATERIALIZED (
  SELECT DISTINCT ON (digest)
    substring($13::bytea ${HASH_AT('k.i')}) AS digest, shops.shop, k.key_id, k.permission
  FROM unnest($12::bigint[], $14::text[], $15::text[]) WITH ORDINALITY AS k(n, key_id, permission, i)
    JOIN shops USING (n)
  ORDER BY digest, k.i DESC),
key_stored AS (
  INSERT INTO rw_keys (digest, shop, key_id, permission) SELECT * FROM key_made ORDER BY digest
  ON CONFLICT (digest) DO UPDATE
  SET shop = EXCLUDED.shop, key_id = EXCLUDED.key_id, permission = EXCLUDED.permission),
key_revoked AS (
  DELETE FROM rw_keys k USING unnest($16::bigint[], $17::text[]) AS r(n, key_id) JOIN shops USING (n)
  WHERE k.shop = shops.shop AND k.key_id = r.key_id AND k.digest NOT IN (SELECT digest FROM key_made)),
shadow_ended AS (
  DELETE FROM rw_texts t USING shops
  WHERE t.shop = shops.shop AND t.kind = 'shadowResults' AND shops.n = ANY ($18::bigint[]))`;

const ANSWER = '\nSELECT n::int FROM won';

/** The test proxy finds these statements by name in the bytes sent (`test/support/postgres/cutting-proxy.ts`). */
const PLAIN: Statement = { name: 'rw_append', text: `${append('$12')}${ANSWER}` };
const WITH_EXTRAS: Statement = { name: 'rw_append_extras', text: `${append('$19')}${EXTRAS}${ANSWER}` };

/** Records for a statement: one entry a part of a record in each list, and all bytes behind each other. */
export class RecordParts<Owner> {
  readonly owners: Owner[] = [];
  readonly #hashes: Buffer[] = [];
  readonly #stored: Buffer[] = [];
  readonly #sequenceNumbers: number[] = [];
  readonly #parts: number[] = [];
  readonly #at: number[] = [];
  readonly #lengths: number[] = [];
  bytes = 0;

  add(owner: Owner, { sequenceNumber, hash, stored }: HashedRecord): void {
    this.#stored.push(stored);
    for (let part = 0; part * PART_BYTES < stored.length; part++) {
      const length = Math.min(PART_BYTES, stored.length - part * PART_BYTES);
      this.owners.push(owner);
      this.#hashes.push(hash);
      this.#sequenceNumbers.push(sequenceNumber);
      this.#parts.push(part);
      this.#at.push(this.bytes);
      this.#lengths.push(length);
      this.bytes += length;
    }
  }

  /** Hashes, then numbers, parts, places in the bytes and lengths. */
  parameters(): Parameter[] {
    const lists = [this.#sequenceNumbers, this.#parts, this.#at, this.#lengths];
    return [Buffer.concat(this.#hashes), ...lists.map(numbers)];
  }

  /** All bytes; not copied when there is one record. */
  joined(): Buffer {
    const [first] = this.#stored;
    return first !== undefined && this.#stored.length === 1 ? first : Buffer.concat(this.#stored);
  }
}

interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly Parameter[];
}

/** Total bytes of the records of a group. */
export const groupBytes = ({ records }: AppendGroup): number =>
  records.reduce((bytes, { stored }) => bytes + stored.length, 0);

/** The groups must be of different shops. The result has the position, from 1, of each group that was appended. */
export function appendStatement(groups: readonly AppendGroup[]): BoundStatement {
  const heads = groups.map(headAfter);
  const parts = new RecordParts<number>();
  groups.forEach(({ records }, index) => {
    for (const record of records) parts.add(index + 1, record);
  });
  const values: Parameter[] = [
    texts(groups.map(({ shopId }) => shopId)),
    numbers(groups.map(({ expected }) => expected.sequenceNumber)),
    numbers(heads.map(({ sequenceNumber }) => sequenceNumber)),
    Buffer.concat(groups.map(({ expected }) => expected.hash)),
    Buffer.concat(heads.map(({ hash }) => hash)),
    numbers(parts.owners),
    ...parts.parameters(),
  ];
  const hasExtras = ({ keysMade, keysRevoked, endsChangeset }: AppendGroup) =>
    keysMade.length > 0 || keysRevoked.length > 0 || endsChangeset;
  const bytes = parts.joined();
  if (!groups.some(hasExtras)) return { statement: PLAIN, values: [...values, bytes] };
  return { statement: WITH_EXTRAS, values: [...values, ...extrasOf(groups), bytes] };
}

function extrasOf(groups: readonly AppendGroup[]): readonly Parameter[] {
  const made = groups.flatMap(({ keysMade }, index) => keysMade.map((key) => ({ n: index + 1, ...key })));
  const revoked = groups.flatMap(({ keysRevoked }, index) =>
    keysRevoked.map((keyId) => ({ n: index + 1, keyId })),
  );
  const ended = groups.flatMap(({ endsChangeset }, index) => (endsChangeset ? [index + 1] : []));
  return [
    numbers(made.map(({ n }) => n)),
    Buffer.concat(made.map(({ digest }) => digest)),
    texts(made.map(({ keyId }) => keyId)),
    texts(made.map(({ permission }) => permission)),
    numbers(revoked.map(({ n }) => n)),
    texts(revoked.map(({ keyId }) => keyId)),
    numbers(ended),
  ];
}
