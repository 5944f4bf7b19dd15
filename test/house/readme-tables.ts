/** The tables of the documents that are written from tables of the program, by the name of their marks. */
import type { TSchema } from '#typebox';
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  OPERATORS_BY_KIND,
  type ValueKind,
} from '../../src/engine/domain/condition.ts';
import { FAILURE_STATUS, type FailureCode } from '../../src/engine/domain/failure.ts';
import { type PlanTable, SHOP_MAX } from '../../src/engine/domain/plan.ts';
import { RATE_TYPE_NAMES, RATE_TYPES, type RateType } from '../../src/engine/domain/rate-type.ts';
import { findingsTable } from '../../src/front/command-line/finding-text.ts';
import { HTTP_LIMITS } from '../../src/front/http/dependencies.ts';
import { FAILURE_DOCS } from '../../src/front/http/openapi/components.ts';
import { SETTINGS, type Setting } from '../../src/front/settings.ts';
import { readText } from './project-files.ts';

const code = (name: string): string => `\`${name}\``;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const KIND_WORDS: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  tags: 'text',
  postal: 'postal',
  number: 'number',
  time: 'ordered',
  date: 'ordered',
  day: 'day',
};

const conditionTypesTable = (): string =>
  table(
    ['`conditionType`', 'of', 'compared value', 'kind'],
    CONDITION_TYPE_NAMES.map((name) => {
      const { subject, description, kind } = CONDITION_TYPES[name];
      return [code(name), subject, description, KIND_WORDS[kind]];
    }),
  );

function operatorsTable(): string {
  const rows = new Map<string, string[]>();
  for (const [kind, operators] of Object.entries(OPERATORS_BY_KIND)) {
    const names = operators.map(code).join(' ');
    rows.set(names, [...new Set([...(rows.get(names) ?? []), KIND_WORDS[kind as ValueKind]])]);
  }
  return table(
    ['kinds', '`operator`'],
    [...rows].map(([names, kinds]) => [kinds.join(', '), names]),
  );
}

const fieldNames = (name: RateType): string => {
  const { properties } = RATE_TYPES[name];
  if (!('tiers' in properties)) return Object.keys(properties).join(', ');
  return `tiers of ${Object.keys(properties.tiers.items.properties).join(', ')}`;
};

const rateTypesTable = (): string =>
  table(
    ['`rateType`', '`config`', 'price'],
    RATE_TYPE_NAMES.map((name) => [
      code(name),
      fieldNames(name),
      String((RATE_TYPES[name] as TSchema & { description?: string }).description),
    ]),
  );

const errorsTable = (): string =>
  table(
    ['status', 'code', 'when'],
    Object.entries(FAILURE_STATUS).map(([name, status]) => [
      String(status),
      code(name),
      FAILURE_DOCS[name as FailureCode].when,
    ]),
  );

function plansTable(): string {
  const plans = JSON.parse(readText('data/plans.json')) as PlanTable;
  const limits = Object.keys(Object.values(plans)[0] ?? {}) as (keyof PlanTable[string])[];
  return table(
    ['plan', ...limits.map(code)],
    Object.entries(plans).map(([plan, row]) => [
      code(plan),
      ...limits.map((limit) => row[limit]?.toLocaleString('en-US') ?? 'unlimited'),
    ]),
  );
}

const whole = (count: number): string => count.toLocaleString('en-US');

/** The limits of every shop, with their defaults where a setting has them. */
const limitsTable = (): string =>
  table(
    ['at most', 'default', 'setting'],
    [
      ...[SETTINGS.bodyBytesMax, SETTINGS.itemsMax].map(({ description, fallback, variable }) => [
        description,
        whole(fallback),
        code(variable),
      ]),
      ['Bytes of that body from such a key', whole(HTTP_LIMITS.configBodyBytesMax), ''],
      ...Object.values(SHOP_MAX).map(({ most, words }) => [`${words} of a shop`, whole(most), '']),
    ],
  );

const settingsTable = (): string =>
  table(
    ['variable', 'default', 'accepted', 'what'],
    Object.values<Setting<unknown>>(SETTINGS).map(({ variable, fallback, accepts, description }) => [
      code(variable),
      fallback === null ? 'not set' : code(String(fallback)),
      accepts,
      description,
    ]),
  );

/** Name of the marks in a document -> the table that stands between them. */
export const README_TABLES: Readonly<Record<string, string>> = {
  settings: settingsTable(),
  findings: findingsTable(),
  operators: operatorsTable(),
  'rate-types': rateTypesTable(),
  errors: errorsTable(),
  plans: plansTable(),
  limits: limitsTable(),
  'condition-types': conditionTypesTable(),
};
