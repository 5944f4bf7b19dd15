/**
 * `coverage`: which records of the live configuration live simulations did not use, and how often they used the others
 * (contract section 10.5).
 */

import { systemClock } from '../../base/runtime/clock.ts';
import { DAY_MS } from '../../engine/domain/calendar-day.ts';
import type { ShopConfig } from '../../engine/domain/shop-config.ts';
import type { Coverage } from '../../engine/wire/coverage.ts';
import { type Command, type CommandInput, columns, JSON_OPTION, printResult } from './command.ts';
import { usageError } from './exit-code.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';
import { counted } from './terminal.ts';

const UNUSED_DAYS_DEFAULT = 30;
/** Days in the table, unless all are asked for. */
const DAYS_SHOWN = 7;

/** The records that coverage counts, with their names. */
type NamedRecords = Pick<ShopConfig, 'zones' | 'productGroups' | 'methods'>;

export const command: Command = {
  options: {
    ...SHOP_OPTIONS,
    'unused-days': {
      value: 'DAYS',
      description: `Show what was not used for so many days, or never (default: ${UNUSED_DAYS_DEFAULT})`,
    },
    all: { description: `Show also what was used, and all days in place of ${DAYS_SHOWN}` },
    json: JSON_OPTION,
  },
  notes: () =>
    'A record counts from when it was made, or changed in what it matches. The time of the last use is kept of methods\n' +
    'and rules; the others are shown when they were never used.\n',
  async run(input) {
    const unusedDays = readUnusedDays(input);
    const unusedSinceMs = systemClock.nowMs() - unusedDays * DAY_MS;
    const options = { unusedSinceMs, showsAll: input.hasSwitch('all') };
    await withShop(input, async (client) => {
      const coverage: Coverage = answered(await client.getCoverage());
      const records = answered(await client.getConfig());
      printResult(input, coverage, () => coverageLines(coverage, records, options));
    });
  },
};

function readUnusedDays(input: CommandInput): number {
  const text = input.option('unused-days') ?? String(UNUSED_DAYS_DEFAULT);
  if (!/^[0-9]{1,4}$/.test(text)) throw usageError('--unused-days must be a whole number from 0 to 9999');
  return Number(text);
}

const KINDS = ['method', 'rule', 'tier', 'zone', 'subzone', 'group'] as const;

interface Row {
  readonly kind: (typeof KINDS)[number];
  readonly record: string;
  readonly used: number;
  /** Simulations in which it could have been used. */
  readonly possible: number;
  /** ISO time; null when never used, or when the kind has no such time. */
  readonly lastUsedAt: string | null;
}

/**
 * The counts by kind, those of the last days, and a table of records that were not used since `unusedSinceMs`, or of all with `showsAll`, least
 * used first.
 */
export function coverageLines(
  coverage: Coverage,
  records: NamedRecords,
  { unusedSinceMs, showsAll }: { readonly unusedSinceMs: number; readonly showsAll: boolean },
): string[] {
  const isUnused = ({ used, lastUsedAt }: Row): boolean =>
    used === 0 || (lastUsedAt !== null && Date.parse(lastUsedAt) < unusedSinceMs);
  const all = rowsOf(coverage, records);
  const shown = (showsAll ? all : all.filter(isUnused)).sort((a, b) => a.used - b.used);
  const sums = KINDS.map((kind) => all.filter((row) => row.kind === kind))
    .filter((rows) => rows.length > 0)
    .map((rows) => `${rows.filter(isUnused).length} of ${rows.length} ${rows[0]?.kind}s`);
  const head = [`${counted(coverage.simulations, 'live simulation')} since ${coverage.since}`];
  if (sums.length > 0) head.push(`Not used: ${sums.join(', ')}`);
  const days = coverage.days.slice(showsAll ? 0 : -DAYS_SHOWN);
  if (days.length > 0) head.push('', ...columns([DAY_HEAD, ...days.map(dayCells)]));
  if (shown.length === 0) return head;
  const cells = shown.map(({ kind, record, used, possible, lastUsedAt }) => [
    kind,
    String(used),
    String(possible),
    used === 0 ? 'never' : (lastUsedAt ?? 'not kept'),
    record,
  ]);
  return [...head, '', ...columns([['KIND', 'USED', 'OF', 'LAST USED', 'RECORD'], ...cells])];
}

const DAY_HEAD = ['DAY', 'SIMULATIONS', 'WITHOUT A RATE', 'CHEAPEST RATE (MEDIAN, CENTS)'];

const dayCells = ({ date, simulations, withoutRate, cheapestMedian }: Coverage['days'][number]): string[] => [
  date,
  String(simulations),
  String(withoutRate),
  String(cheapestMedian ?? ''),
];

function rowsOf(
  { simulations, zones, groups, methods, rules, tiers }: Coverage,
  records: NamedRecords,
): Row[] {
  const names = namesOf(records);
  const considered = new Map(methods.map((method) => [method.methodId, method.considered]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const row = (
    kind: Row['kind'],
    record: string,
    [used, possible]: readonly [number, number],
    lastUsedAt: string | null = null,
  ): Row => ({ kind, record, used, possible, lastUsedAt });
  return [
    ...methods.map((each) =>
      row('method', nameOf(each.methodId), [each.offered, each.considered], each.lastOfferedAt),
    ),
    ...rules.map((each) =>
      row('rule', nameOf(each.ruleId), [each.matched, each.evaluated], each.lastMatchedAt),
    ),
    ...tiers.map(({ methodId, index, count }) =>
      row('tier', `tier ${index} of ${nameOf(methodId)}`, [count, considered.get(methodId) ?? 0]),
    ),
    ...zones.map(({ zoneId, subzoneId, count }) =>
      row(subzoneId === null ? 'zone' : 'subzone', nameOf(subzoneId ?? zoneId), [count, simulations]),
    ),
    ...groups.map(({ productGroupId, count }) => row('group', nameOf(productGroupId), [count, simulations])),
  ];
}

/** Id -> name and id for people. */
function namesOf({ zones, productGroups, methods }: NamedRecords): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const zone of zones) {
    for (const { id, name } of [zone, ...zone.subzones]) names.set(id, `${name} (${id})`);
  }
  for (const { id, name } of productGroups) names.set(id, `${name} (${id})`);
  for (const method of methods) {
    names.set(method.id, `${method.name} (${method.id})`);
    for (const { id, name = '' } of method.rules) {
      names.set(id, `${name === '' ? id : `${name} (${id})`} of ${method.name}`);
    }
  }
  return names;
}
