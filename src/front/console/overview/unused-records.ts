/**
 * Records that no live simulation used lately. The service keeps the time of the last use for methods and rules; other
 * records are listed when no cart has used them since counting began.
 */
import type { Config, Coverage } from './place-grid.ts';

export interface UnusedRecord {
  readonly name: string;
  /** null = never. */
  readonly lastUsedAt: string | null;
  /** The method that is looked at in the tester; null for other records. */
  readonly methodId: string | null;
}

export interface UnusedKind {
  /** Its name in the plural. */
  readonly kind: string;
  readonly total: number;
  readonly records: readonly UnusedRecord[];
}

interface Use extends UnusedRecord {
  readonly count: number;
}

/** The kind that says most: what a shop made and no cart ever gets. */
export const NEVER_OFFERED = 'Methods never offered';

/** The kinds with records that were not used since `sinceMs`. */
export function unusedRecords(config: Config, coverage: Coverage, sinceMs: number): readonly UnusedKind[] {
  const names = namesOf(config);
  const used = (id: string, count: number, lastUsedAt: string | null = null): Use => ({
    name: names.get(id) ?? id,
    count,
    lastUsedAt,
    methodId: null,
  });
  const methods = coverage.methods.map(
    ({ methodId, offered, lastOfferedAt }): Use => ({ ...used(methodId, offered, lastOfferedAt), methodId }),
  );
  const kinds: readonly (readonly [string, readonly Use[]])[] = [
    [
      'Rules',
      coverage.rules.map(({ ruleId, matched, lastMatchedAt }) => used(ruleId, matched, lastMatchedAt)),
    ],
    [
      'Tiers',
      coverage.tiers.map(({ methodId, index, count }) => ({
        ...used(methodId, count),
        name: `Tier ${index + 1} of ${names.get(methodId) ?? methodId}`,
      })),
    ],
    [
      'Zones and subzones',
      coverage.zones.map(({ zoneId, subzoneId, count }) => used(subzoneId ?? zoneId, count)),
    ],
    ['Product groups', coverage.groups.map(({ productGroupId, count }) => used(productGroupId, count))],
  ];
  const isUnused = ({ count, lastUsedAt }: Use): boolean =>
    count === 0 || (lastUsedAt !== null && Date.parse(lastUsedAt) < sinceMs);
  const unused = (kind: string, uses: readonly Use[], isListed = isUnused): UnusedKind => ({
    ...{ kind, total: uses.length, records: uses.filter(isListed) },
  });
  return [
    unused(NEVER_OFFERED, methods, ({ count }) => count === 0),
    unused('Methods not offered lately', methods, (use) => use.count > 0 && isUnused(use)),
    ...kinds.map(([kind, uses]) => unused(kind, uses)),
  ].filter(({ records }) => records.length > 0);
}

function namesOf({ zones, productGroups, methods }: Config): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const zone of zones) {
    names.set(zone.id, zone.name);
    for (const { id, name } of zone.subzones) names.set(id, `${zone.name} › ${name}`);
  }
  for (const { id, name } of productGroups) names.set(id, name);
  for (const { id, name, enabled, rules } of methods) {
    names.set(id, enabled ? name : `${name} (disabled)`);
    for (const rule of rules) names.set(rule.id, `${rule.name || rule.id} of ${name}`);
  }
  return names;
}
