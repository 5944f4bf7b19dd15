/**
 * Applies a comparison to one configuration to get the other, as a client could, to check that the comparison is exact.
 * From the second configuration only the added records are used.
 */
import assert from 'node:assert/strict';
import type { Comparison, RecordKind } from '../../src/engine/domain/version.ts';
import type { ConfigSnapshot } from '../../src/engine/wire/record-view.ts';

type Fields = Readonly<Record<string, unknown>>;
type Named = Fields & { readonly id: string };

/** Fields that a record may lack; a comparison shows an absent one as null. */
const OPTIONAL = ['adjustmentValue', 'adjustmentType'];

/** The entries of a comparison; each is removed when it is used. */
class Entries {
  readonly #comparison: Comparison;
  #left: number;

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
    this.#left = comparison.added.length + comparison.modified.length + comparison.removed.length;
  }

  take(
    list: 'added' | 'removed' | 'modified',
    kind: RecordKind,
    id: string,
    parentId?: string,
  ): Comparison['modified'][number] | undefined {
    const found = (this.#comparison[list] as Comparison['modified']).filter(
      (entry) => entry.kind === kind && entry.id === id && entry.parentId === parentId,
    );
    assert.ok(found.length <= 1, `${kind} ${id} stands once in ${list}`);
    this.#left -= found.length;
    return found[0];
  }

  assertAllUsed(): void {
    assert.equal(this.#left, 0, 'no entry is about a record that is not there');
  }
}

function applyFields(record: Named, changes: Comparison['modified'][number]['changes']): Named {
  const result: Record<string, unknown> = { ...record };
  for (const { field, from, to } of changes) {
    if (field === 'position') continue;
    assert.deepEqual(result[field] ?? null, from, `${record.id}.${field} was as the comparison says`);
    if (to === null && OPTIONAL.includes(field)) delete result[field];
    else result[field] = to;
  }
  return result as Named;
}

function applyToList(
  entries: Entries,
  kind: RecordKind,
  from: readonly Named[],
  to: readonly Named[],
  parentId?: string,
): Named[] {
  const placed: { index: number; record: Named }[] = [];
  const kept: Named[] = [];
  for (const [index, record] of from.entries()) {
    if (entries.take('removed', kind, record.id, parentId) !== undefined) continue;
    const changes = entries.take('modified', kind, record.id, parentId)?.changes ?? [];
    const changed = applyFields(record, changes);
    const move = changes.find(({ field }) => field === 'position');
    if (move === undefined) kept.push(changed);
    else {
      assert.equal(move.from, index);
      placed.push({ index: move.to as number, record: changed });
    }
  }
  for (const [index, record] of to.entries()) {
    if (entries.take('added', kind, record.id, parentId) !== undefined) placed.push({ index, record });
  }
  const result = kept;
  for (const { index, record } of placed.sort((a, b) => a.index - b.index)) result.splice(index, 0, record);
  return result;
}

/** A list of records, each with a list of children. */
function applyToTree(
  entries: Entries,
  [kind, childKind, children]: readonly [RecordKind, RecordKind, string],
  from: readonly Named[],
  to: readonly Named[],
): Named[] {
  const childrenOf = (list: readonly Named[], id: string) =>
    (list.find((record) => record.id === id)?.[children] ?? []) as Named[];
  for (const { id } of from) {
    if (to.some((record) => record.id === id)) continue;
    // The children of a removed record are removed with it, each with an entry.
    assert.deepEqual(applyToList(entries, childKind, childrenOf(from, id), [], id), []);
  }
  return applyToList(entries, kind, from, to).map((record) => ({
    ...record,
    [children]: applyToList(
      entries,
      childKind,
      childrenOf(from, record.id),
      childrenOf(to, record.id),
      record.id,
    ),
  }));
}

/** `from` with the comparison applied. Throws when an entry does not fit. */
export function applyComparison(from: ConfigSnapshot, comparison: Comparison, to: ConfigSnapshot) {
  const entries = new Entries(comparison);
  const named = (list: readonly object[]) => list as unknown as readonly Named[];
  const result = {
    productGroups: applyToList(entries, 'productGroup', named(from.productGroups), named(to.productGroups)),
    zones: applyToTree(entries, ['zone', 'subzone', 'subzones'], named(from.zones), named(to.zones)),
    methods: applyToTree(entries, ['method', 'rule', 'rules'], named(from.methods), named(to.methods)),
    blendedRates: applyToList(entries, 'blendedRate', named(from.blendedRates), named(to.blendedRates)),
    checks: applyToList(entries, 'check', named(from.checks), named(to.checks)),
  };
  entries.assertAllUsed();
  return result;
}
