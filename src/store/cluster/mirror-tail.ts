/**
 * Brings the mirror of a shop up to date with the authority, and finds the last common record where the two
 * differ.
 */
import type { Authority, RecordHead } from '../log/authority.ts';
import { DamagedLogError } from '../log/event-log.ts';
import { NO_HEAD } from '../log/record-codec.ts';
import type { Mirror } from './node-ports.ts';

export interface MirrorTailPorts {
  readonly authority: Pick<Authority, 'tail' | 'start' | 'states' | 'hashAt'>;
  readonly mirror: Mirror;
}

/**
 * The mirror has a record that the authority lacks, or another one in its place: the authority has lost a
 * record that it once confirmed.
 */
export class DifferingMirrorError extends DamagedLogError {
  constructor(shopId: string, sequenceNumber: number) {
    super(shopId, sequenceNumber, 'the mirror and the authority differ');
  }
}

/** The records of the authority are damaged. The mirror is not, and may be the only good copy. */
export class DamagedAuthorityError extends DamagedLogError {
  constructor({ shopId, sequenceNumber, what, stack }: DamagedLogError) {
    super(shopId, sequenceNumber, what);
    this.stack = stack ?? '';
  }
}

/**
 * Brings the mirror of a shop up to date, and shows nothing. Rejects with `AuthorityUnavailableError`,
 * `DifferingMirrorError` or `DamagedAuthorityError`, or with `DamagedLogError` when the head of the mirror is
 * damaged.
 */
export async function mirrorTail(ports: MirrorTailPorts, shopId: string): Promise<void> {
  ports.mirror.head(shopId);
  try {
    await bringUpToDate(ports, shopId);
  } catch (error) {
    const isDamage = error instanceof DamagedLogError && !(error instanceof DifferingMirrorError);
    throw isDamage ? new DamagedAuthorityError(error) : error;
  }
}

async function bringUpToDate({ authority, mirror }: MirrorTailPorts, shopId: string): Promise<void> {
  for (;;) {
    const own = mirror.head(shopId);
    const { sequenceNumber } = own;
    const { state, records } = await authority.tail(shopId, sequenceNumber);
    if (state?.isDeleted === true) {
      if (sequenceNumber > 0) await mirror.drop(shopId);
      return;
    }
    if (isAhead(own, state?.head ?? NO_HEAD)) throw new DifferingMirrorError(shopId, sequenceNumber);
    if (state === null) return;
    try {
      if (records.length > 0) await mirror.store(shopId, records);
      else if (sequenceNumber < state.removedUpTo)
        await mirror.restart(shopId, await authority.start(shopId));
    } catch (error) {
      if (!(error instanceof DamagedLogError)) throw error;
      const there = await authority.hashAt(shopId, sequenceNumber);
      if (there === null || there.equals(own.hash)) throw error;
      throw new DifferingMirrorError(shopId, sequenceNumber);
    }
    const { sequenceNumber: reached } = mirror.head(shopId);
    if (reached >= state.head.sequenceNumber) return;
    if (reached === sequenceNumber) throw new DamagedLogError(shopId, reached + 1, 'it is missing');
  }
}

/**
 * True when the head of the mirror cannot be part of what the authority has. `own` must be read before
 * `head`.
 */
export const isAhead = (own: RecordHead, head: RecordHead): boolean =>
  own.sequenceNumber > head.sequenceNumber ||
  (own.sequenceNumber === head.sequenceNumber && !own.hash.equals(head.hash));

/**
 * Saves the records of a differing mirror that the authority lacks, then drops the mirror of the shop.
 * Rejects with `AuthorityUnavailableError`, or an error of the mirror; the mirror is kept then.
 */
export async function setTailAside({ authority, mirror }: MirrorTailPorts, shopId: string): Promise<void> {
  const own = mirror.head(shopId);
  const [state] = await authority.states([shopId]);
  let common = Math.min(state?.removedUpTo ?? 0, own.sequenceNumber);
  let differing = own.sequenceNumber + 1;
  if (state !== undefined) differing = Math.min(differing, state.head.sequenceNumber + 1);
  // Each record holds the hash of the one before, so all records before an equal one are equal, too.
  while (differing - common > 1) {
    const middle = Math.floor((common + differing) / 2);
    const [mine, theirs] = [mirror.hashAt(shopId, middle), await authority.hashAt(shopId, middle)];
    if (mine !== null && theirs?.equals(mine) === true) common = middle;
    else differing = middle;
  }
  await mirror.setAside(shopId, common);
  await mirror.drop(shopId);
}
