/** Encodes records of one shop for the authority: stored forms, hashes, and the changes of keys that they contain. */
import { isId } from '../domain/id.ts';
import type { AppendGroup, HashedRecord, MadeKey, RecordHead, ShopMark } from './authority.ts';
import type { NewRecord } from './event-log.ts';
import { encodeRecord, HASH_BYTES, hashRecord, NO_PREVIOUS_HASH } from './record-codec.ts';

/** The head of a shop that has no record yet. */
export const NO_HEAD: RecordHead = { sequenceNumber: 0, hash: NO_PREVIOUS_HASH };

/** The head of a shop after the append of the group. Throws `RangeError` for an invalid group. */
export function headAfter({ expected, records }: AppendGroup): RecordHead {
  records.forEach(({ sequenceNumber }, index) => {
    if (sequenceNumber !== expected.sequenceNumber + index + 1) {
      throw new RangeError('records of a group follow each other from the expected head on');
    }
  });
  const last = records.at(-1);
  if (last === undefined) throw new RangeError('a group has at least one record');
  return { sequenceNumber: last.sequenceNumber, hash: last.hash };
}

/** The last record of a group. */
export const lastMark = ({ shopId, expected, records }: AppendGroup): ShopMark => ({
  shopId,
  sequenceNumber: expected.sequenceNumber + records.length,
});

/** Encodes records that follow `expected`. Throws `RangeError` as `EventLog.append` does. */
export function encodeGroup(
  shopId: string,
  expected: RecordHead,
  records: readonly NewRecord[],
): AppendGroup {
  const hashed: HashedRecord[] = [];
  let { sequenceNumber, hash } = expected;
  for (const record of records) {
    sequenceNumber++;
    const stored = encodeRecord(shopId, sequenceNumber, hash, record);
    hash = hashRecord(stored);
    hashed.push({ sequenceNumber, hash, stored });
  }
  const group = {
    shopId,
    expected,
    records: hashed,
    ...keyChangesOf(records),
    endsChangeset: records.some(({ event }) => event.kind === 'stagingEnded'),
  };
  headAfter(group);
  return group;
}

/** The net changes of keys: a key that the group makes and revokes is not made. */
export function keyChangesOf(records: readonly NewRecord[]): Pick<AppendGroup, 'keysMade' | 'keysRevoked'> {
  const made = new Map<string, MadeKey>();
  const revoked = new Set<string>();
  for (const { event } of records) {
    if (event.kind === 'keyCreated') {
      const { id, permission, secretSha256 } = event.key;
      const digest = Buffer.from(secretSha256, 'hex');
      if (digest.length !== HASH_BYTES || !isId(id)) throw new RangeError('a key without a digest or an id');
      made.set(id, { digest, keyId: id, permission });
      // Replaces an earlier key with this id.
      revoked.add(id);
    } else if (event.kind === 'keyRevoked') {
      made.delete(event.keyId);
      revoked.add(event.keyId);
    }
  }
  return { keysMade: [...made.values()], keysRevoked: [...revoked] };
}
