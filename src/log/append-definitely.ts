/**
 * Appends a group until its outcome is known. After a lost answer the same bytes are sent again: that attempt either goes
 * in, or is stale. If it is stale, the record that stands at the place of the group's first one tells whose it is: ours,
 * when an earlier attempt went in after all, or another writer's.
 *
 * That no record stands there proves nothing, because an earlier attempt may still be on its way. Only the further
 * attempt fences it, since both expect the same head.
 */
import {
  type AppendGroup,
  type Authority,
  AuthorityUnavailableError,
  type GroupResult,
} from './authority.ts';

export interface Persistence {
  /** Waits before each further attempt. */
  readonly pause: () => Promise<void>;
  /** The caller gives up: the outcome stays unknown. */
  readonly isOver: () => boolean;
}

type Asked = Pick<Authority, 'append' | 'hashAt' | 'states' | 'nodes'>;

type UnknownOutcome = Extract<GroupResult, { kind: 'outcomeUnknown' }>;

/** Appends the group and settles its outcome, should that be unknown. */
export async function appendDefinitely(
  authority: Asked,
  group: AppendGroup,
  persistence: Persistence,
): Promise<GroupResult> {
  const result = await authority.append(group);
  return result.kind === 'outcomeUnknown' ? settleAppend(authority, group, result, persistence) : result;
}

/**
 * Settles the outcome of a group whose attempt came to `unknown`. Resolves with `outcomeUnknown` only when `isOver` said
 * so, or when the authority has lost what would tell: the record was removed meanwhile, the shop deleted, or there are
 * fewer records than the group expected. Rejects with an error of a read other than `AuthorityUnavailableError`.
 */
export async function settleAppend(
  authority: Asked,
  group: AppendGroup,
  unknown: UnknownOutcome,
  { pause, isOver }: Persistence,
): Promise<GroupResult> {
  while (!isOver()) {
    await pause();
    const result = await authority.append(group);
    if (result.kind === 'appended') return result;
    // Nothing was appended by this attempt, which says nothing of the earlier ones.
    if (result.kind !== 'staleWriter') continue;
    const settled = await whoseRecord(authority, group).catch(nullWhenUnavailable);
    if (settled !== null) return settled;
  }
  return unknown;
}

/** The question is asked again when the authority cannot be reached; any other error is the caller's. */
function nullWhenUnavailable(error: unknown): null {
  if (error instanceof AuthorityUnavailableError) return null;
  throw error;
}

/** What became of earlier attempts of a group that is stale now; null while that cannot be told. */
async function whoseRecord(
  authority: Asked,
  { shopId, expected, records: [first] }: AppendGroup,
): Promise<GroupResult | null> {
  if (first === undefined) return null;
  const hash = await authority.hashAt(shopId, first.sequenceNumber);
  // The list is read after the record was, so it names every node that may lack it.
  if (hash?.equals(first.hash) === true) return { kind: 'appended', nodes: await authority.nodes() };
  if (hash !== null) return { kind: 'staleWriter' };
  const [state] = await authority.states([shopId]);
  const isLost =
    (state?.head.sequenceNumber ?? 0) < expected.sequenceNumber ||
    (state !== undefined && (state.isDeleted || state.removedUpTo >= first.sequenceNumber));
  if (!isLost) return null;
  return { kind: 'outcomeUnknown', cause: new Error(`shop ${shopId}: what would tell was removed or lost`) };
}
