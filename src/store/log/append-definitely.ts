/**
 * Appends a group and retries until the outcome is known. After a lost answer the same bytes are sent again: that
 * attempt is either appended or stale. If it is stale, the record with the number of the group's first record
 * decides: if it is ours, an earlier attempt was appended; otherwise another writer appended first. No two groups have
 * the same bytes (`encodeGroup`).
 *
 * A missing record proves nothing, because an earlier attempt may still be in flight. Only another attempt rules it
 * out: both expect the same head, so at most one can succeed.
 */
import {
  type AppendGroup,
  type Authority,
  AuthorityUnavailableError,
  type GroupResult,
} from './authority.ts';

/** Waits before each further attempt. */
type Pause = () => Promise<void>;

type SettlingAuthority = Pick<Authority, 'append' | 'hashAt' | 'states' | 'nodes'>;

/** Appends the group; settles the outcome if it is unknown, however long that takes. */
export async function appendDefinitely(
  authority: SettlingAuthority,
  group: AppendGroup,
  pause: Pause,
): Promise<GroupResult> {
  const result = await authority.append(group);
  return result.kind === 'outcomeUnknown' ? settleAppend(authority, group, pause) : result;
}

/**
 * Settles the outcome of a group after an attempt with the outcome `unknown`. Resolves with `outcomeUnknown` only
 * when the authority no longer holds the evidence: the record was removed, the shop was deleted, or there are fewer
 * records than the group expected. Rejects when a read fails with any error but `AuthorityUnavailableError`.
 */
export async function settleAppend(
  authority: SettlingAuthority,
  group: AppendGroup,
  pause: Pause,
): Promise<GroupResult> {
  for (;;) {
    await pause();
    const result = await authority.append(group);
    if (result.kind === 'appended') return result;
    // This attempt appended nothing. An earlier one may have.
    if (result.kind !== 'staleWriter') continue;
    const settled = await whoseRecord(authority, group).catch(nullWhenUnavailable);
    if (settled !== null) return settled;
  }
}

/** Returns null when the authority cannot be reached, so that the caller retries; rethrows any other error. */
function nullWhenUnavailable(error: unknown): null {
  if (error instanceof AuthorityUnavailableError) return null;
  throw error;
}

/** The outcome of earlier attempts of a group that is stale now; null while it is unknown. */
async function whoseRecord(
  authority: SettlingAuthority,
  { shopId, expected, records: [first] }: AppendGroup,
): Promise<GroupResult | null> {
  if (first === undefined) return null;
  const hash = await authority.hashAt(shopId, first.sequenceNumber);
  // The list is read after the record, so it contains every node that may lack the record.
  if (hash?.equals(first.hash) === true) return { kind: 'appended', nodes: await authority.nodes() };
  if (hash !== null) return { kind: 'staleWriter' };
  const [state] = await authority.states([shopId]);
  const isLost =
    (state?.head.sequenceNumber ?? 0) < expected.sequenceNumber ||
    (state !== undefined && (state.isDeleted || state.removedUpTo >= first.sequenceNumber));
  if (!isLost) return null;
  const cause = new Error(`shop ${shopId}: the record that shows the outcome was removed or lost`);
  return { kind: 'outcomeUnknown', cause };
}
