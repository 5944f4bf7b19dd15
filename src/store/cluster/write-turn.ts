/**
 * One turn of a writer where any node may write to the shop. Its records were decided on the newest record of
 * the mirror; they go to the authority first, to the mirror second. Afterwards the mirror is up to date,
 * whichever node won, and nothing new is shown yet.
 *
 * The loser of a race is late for the next one too, so after `LOST_RACES_MAX` of them it takes its turn under
 * the lock of the shop's head, where it cannot lose.
 */
import { appendDefinitely, settleAppend } from '../log/append-definitely.ts';
import type { AppendGroup, Authority, GroupResult, TurnResult } from '../log/authority.ts';
import { DiskFullError } from '../log/event-log.ts';

import type { Follower } from './follower.ts';
import { type ClusterClock, type ClusterMeter, type Mirror, waitMs } from './node-ports.ts';
import { RETRY_MS } from './timing.ts';

export interface WriteTurnPorts {
  readonly authority: Pick<Authority, 'append' | 'takeTurn' | 'hashAt' | 'states' | 'nodes'>;
  readonly mirror: Pick<Mirror, 'store'>;
  readonly follower: Pick<Follower, 'mirrorTail'>;
  readonly clock: ClusterClock;
  readonly meter: ClusterMeter;
}

/**
 * Pauses between attempts with an unknown outcome. They go on until it is known: the caller's time-out
 * answers the client.
 */
const pauseOf =
  ({ clock, meter }: WriteTurnPorts) =>
  (): Promise<void> => {
    meter.unknownOutcomes++;
    return waitMs(clock, RETRY_MS);
  };

/**
 * The first append wins. Rejects with `AuthorityUnavailableError`, `DiskFullError` or `DamagedLogError` when the loser cannot
 * catch up: nothing of it was appended. Any other error is one of the mirror: the records are appended, and
 * the node must stop.
 */
export async function takeFreeTurn(ports: WriteTurnPorts, group: AppendGroup): Promise<GroupResult> {
  const { authority } = ports;
  const result = await appendDefinitely(authority, group, pauseOf(ports));
  await bringMirror(ports, group, result);
  return result;
}

/**
 * Locks the head, brings the mirror up to date, appends the records that `decide` returns, if any, and
 * releases the lock. Rejects as `takeFreeTurn`, or with an error of `decide`: then nothing was appended.
 */
export async function takeLockedTurn(
  ports: WriteTurnPorts,
  shopId: string,
  decide: () => Promise<AppendGroup | null>,
): Promise<TurnResult> {
  const { authority, follower } = ports;
  const decided: AppendGroup[] = [];
  const taken = await authority.takeTurn(shopId, async () => {
    await follower.mirrorTail(shopId);
    const group = await decide();
    if (group !== null) decided.push(group);
    return group;
  });
  const [group] = decided;
  if (group === undefined || taken.kind === 'nothingToAppend') return taken;
  const result =
    taken.kind === 'outcomeUnknown' ? await settleAppend(authority, group, pauseOf(ports)) : taken;
  await bringMirror(ports, group, result);
  return result;
}

async function bringMirror(
  ports: WriteTurnPorts,
  { shopId, records }: AppendGroup,
  { kind }: GroupResult,
): Promise<void> {
  if (kind === 'appended') await storeAppended(ports, shopId, records);
  else if (kind === 'staleWriter') await ports.follower.mirrorTail(shopId);
}

/** The records are appended already, so a full disk of this node only delays them. */
async function storeAppended(
  { mirror, clock }: WriteTurnPorts,
  shopId: string,
  records: AppendGroup['records'],
): Promise<void> {
  for (;;) {
    try {
      await mirror.store(shopId, records);
      return;
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error;
      await waitMs(clock, RETRY_MS);
    }
  }
}
