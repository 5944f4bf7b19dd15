/**
 * Settles appends whose outcome is not known. The one sure way is to send the same bytes again: then either they go
 * in, or the head has moved on, which fences the earlier attempts, and the record that stands in their place tells
 * whether one of them went in. That no record stands there proves nothing, because an attempt may still be on its way.
 */
import type { AppendGroup, Authority, GroupResult } from '../log/authority.ts';
import { AuthorityUnavailableError } from '../log/authority.ts';
import { type ClusterClock, waitMs } from './cluster-clock.ts';
import { RETRY_MS } from './timing.ts';

/**
 * Appends the group, however often it takes. The outcome is `outcomeUnknown` only where the authority has lost what
 * would tell: its records were removed meanwhile, or it has fewer than the group expected. `wasSent`: an
 * earlier attempt with the same bytes may have gone in.
 */
export async function appendDefinitely(
  authority: Pick<Authority, 'append' | 'hashAt' | 'states' | 'nodes'>,
  group: AppendGroup,
  clock: ClusterClock,
  wasSent = false,
): Promise<GroupResult> {
  let isUnknown = wasSent;
  for (;;) {
    const result = await authority.append(group);
    if (result.kind === 'appended') return result;
    if (result.kind === 'outcomeUnknown') isUnknown = true;
    else if (!isUnknown) return result;
    if (result.kind === 'staleWriter') {
      try {
        const settled = await settle(authority, group);
        if (settled !== null) return settled;
      } catch (error) {
        if (!(error instanceof AuthorityUnavailableError)) throw error;
      }
    }
    await waitMs(clock, RETRY_MS);
  }
}

/** What became of earlier attempts of a group that is stale now; null while that cannot be told. */
async function settle(
  authority: Pick<Authority, 'hashAt' | 'states' | 'nodes'>,
  { shopId, expected, records: [first] }: AppendGroup,
): Promise<GroupResult | null> {
  if (first === undefined) throw new RangeError('a group has records');
  const hash = await authority.hashAt(shopId, first.sequenceNumber);
  // The list is read after the record was, so it names every node that may lack it.
  if (hash?.equals(first.hash) === true) return { kind: 'appended', nodes: await authority.nodes() };
  if (hash !== null) return { kind: 'staleWriter' };
  const [state] = await authority.states([shopId]);
  const { head, removedUpTo, isDeleted } = state ?? NO_SHOP;
  const isLost =
    isDeleted || removedUpTo >= first.sequenceNumber || head.sequenceNumber < expected.sequenceNumber;
  if (!isLost) return null;
  return { kind: 'outcomeUnknown', cause: new Error(`shop ${shopId}: what would tell was removed or lost`) };
}

const NO_SHOP = { head: { sequenceNumber: 0 }, removedUpTo: 0, isDeleted: false };
