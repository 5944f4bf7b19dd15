/**
 * Brings the mirror of a shop up to what the authority has now, and finds out where the two part when the mirror is no
 * beginning of that.
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
 * The mirror has a record that the authority does not have, or has another one in its place: the authority has lost what
 * it once confirmed.
 */
export class DifferingMirrorError extends DamagedLogError {
  constructor(shopId: string, sequenceNumber: number) {
    super(shopId, sequenceNumber, 'the mirror and the authority differ');
  }
}

/** What the authority has of the shop is damaged: the mirror is not, and may be the only copy of the record. */
export class DamagedAuthorityError extends DamagedLogError {
  constructor({ shopId, sequenceNumber, what, stack }: DamagedLogError) {
    super(shopId, sequenceNumber, what);
    this.stack = stack ?? '';
  }
}

/**
 * Shows nothing of what it mirrors. Rejects with `AuthorityUnavailableError`, with `DifferingMirrorError`, with
 * `DamagedAuthorityError`, or with `DamagedLogError` for the head of the mirror.
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

/** Of a mirror that was read before the authority was: true when it is no beginning of what the authority has. */
export const isAhead = (own: RecordHead, head: RecordHead): boolean =>
  own.sequenceNumber > head.sequenceNumber ||
  (own.sequenceNumber === head.sequenceNumber && !own.hash.equals(head.hash));

/**
 * Keeps the records of a differing mirror that the authority does not have, then forgets the mirror of the shop. Rejects
 * with `AuthorityUnavailableError`, or an error of the mirror; nothing is forgotten then.
 */
export async function setTailAside({ authority, mirror }: MirrorTailPorts, shopId: string): Promise<void> {
  const own = mirror.head(shopId);
  const [state] = await authority.states([shopId]);
  let common = Math.min(state?.removedUpTo ?? 0, own.sequenceNumber);
  let differing = own.sequenceNumber + 1;
  if (state !== undefined) differing = Math.min(differing, state.head.sequenceNumber + 1);
  // Records that are equal follow equal ones, because each holds the hash of the one before.
  while (differing - common > 1) {
    const middle = Math.floor((common + differing) / 2);
    const [mine, theirs] = [mirror.hashAt(shopId, middle), await authority.hashAt(shopId, middle)];
    if (mine !== null && theirs?.equals(mine) === true) common = middle;
    else differing = middle;
  }
  await mirror.setAside(shopId, common);
  await mirror.drop(shopId);
}
