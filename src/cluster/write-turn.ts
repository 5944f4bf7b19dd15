/**
 * One write of a shop that any node may write: decide on what the mirror has, append, and after a lost race catch up
 * and decide again. The loser of a race is late for the next one too, so after two of them it takes its turn under the
 * lock of the shop's head, where it cannot lose.
 */
import { appendDefinitely, type Persistence, settleAppend } from '../log/append-definitely.ts';
import type { AppendGroup, Authority, GroupResult, StoredRecord } from '../log/authority.ts';
import { type ClusterClock, waitMs } from './cluster-clock.ts';
import type { Follower } from './follower.ts';
import type { Mirror } from './shop-copies.ts';
import { RETRY_MS } from './timing.ts';

/** Lost races after which the lock is taken. Without it one node was measured to lose 228 times in a row. */
const STALE_TURNS_MAX = 2;

/**
 * Decides on the records of the mirror and `tail` behind them, without showing any of it. Null when nothing is
 * to be appended.
 */
export type Decide = (tail: readonly StoredRecord[]) => Promise<AppendGroup | null>;

/** How a write ended; never `staleWriter`. */
export type WriteResult =
  | Exclude<GroupResult, { kind: 'staleWriter' }>
  | { readonly kind: 'nothingToAppend' };

export interface WriteTurnPorts {
  readonly authority: Pick<Authority, 'append' | 'takeTurn' | 'hashAt' | 'states' | 'nodes'>;
  readonly mirror: Pick<Mirror, 'head' | 'store'>;
  readonly follower: Pick<Follower, 'catchUp'>;
  readonly clock: ClusterClock;
}

/**
 * Appends what `decide` returns: authority first, mirror second. Afterwards the mirror has the records; they are not
 * shown yet. Rejects with `AuthorityUnavailableError` or `DamagedLogError` when a stale writer cannot catch up: nothing
 * was appended. Any other error is the mirror's: the records are there, and the node must stop.
 */
export async function takeWriteTurn(
  ports: WriteTurnPorts,
  shopId: string,
  decide: Decide,
): Promise<WriteResult> {
  for (let staleTurns = 0; ; staleTurns++) {
    const turn = staleTurns < STALE_TURNS_MAX ? takeFreeTurn : takeLockedTurn;
    const result = await turn(ports, shopId, decide);
    if (result.kind !== 'staleWriter') return result;
    await ports.follower.catchUp(shopId);
  }
}

/** An unknown outcome is settled however long that takes: the caller's time-out answers the client. */
const untilSettled = (clock: ClusterClock): Persistence => ({
  pause: () => waitMs(clock, RETRY_MS),
  isOver: () => false,
});

export type TurnResult = GroupResult | { readonly kind: 'nothingToAppend' };

/** Whoever appends first wins. */
export async function takeFreeTurn(
  { authority, mirror, clock }: WriteTurnPorts,
  shopId: string,
  decide: Decide,
): Promise<TurnResult> {
  const group = await decide([]);
  if (group === null) return { kind: 'nothingToAppend' };
  const result = await appendDefinitely(authority, group, untilSettled(clock));
  if (result.kind === 'appended') await mirror.store(shopId, group.records);
  return result;
}

/** The head stays locked from the reading of the tail to the append. */
async function takeLockedTurn(
  { authority, mirror, clock }: WriteTurnPorts,
  shopId: string,
  decide: Decide,
): Promise<TurnResult> {
  const after = mirror.head(shopId).sequenceNumber;
  const turn = await authority.takeTurn(shopId, after, async ({ state, records: tail }) => {
    const reached = tail.at(-1)?.sequenceNumber ?? after;
    const isWhole = reached >= (state?.head.sequenceNumber ?? 0);
    const group = isWhole ? await decide(tail) : null;
    return { group, value: { group, tail, isWhole } };
  });
  if (turn.kind === 'unavailable') return turn;
  const { group, tail, isWhole } = turn.value;
  // A tail that comes in several reads is caught up with first: that is what a stale writer does.
  if (!isWhole) return { kind: 'staleWriter' };
  if (group === null || turn.result === null) return { kind: 'nothingToAppend' };
  const result =
    turn.result.kind === 'outcomeUnknown'
      ? await settleAppend(authority, group, turn.result, untilSettled(clock))
      : turn.result;
  if (result.kind === 'appended') await mirror.store(shopId, [...tail, ...group.records]);
  return result;
}
