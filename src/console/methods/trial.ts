/**
 * What a cart would be offered if an edit were saved, without saving it: a preview of the configuration with the edit in it
 * and one check, whose result names the rates of its cart. Only what a cart to this zone can meet is sent along, so that the
 * trial stays small in a shop of thousands of methods.
 */

import type { CallFailure } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { pathText } from '../labels.ts';
import { fieldErrors } from '../service.ts';
import type { Cart } from '../tester/cart.ts';
import { type Vocabulary, valueCount, valuesOf } from './condition-words.ts';
import { configData, isAdjusting, type MethodDraft } from './method-kind.ts';

export type Config = Schemas['ConfigSnapshot'];

/** Stands for the service code that a new method does not have yet. */
const CODE_OF_THE_DRAFT = 'the-method-that-is-edited';
const PRICE_MAX = Number.MAX_SAFE_INTEGER;

/** The service code by which a trial knows the edited method. */
export const codeOf = ({ serviceCode }: MethodDraft): string => serviceCode || CODE_OF_THE_DRAFT;

export interface Trial {
  readonly body: Schemas['ConfigAction'] & { readonly action: 'preview' };
  /** The place of the edited method in the body. */
  readonly place: number;
}

export interface TrialInput {
  readonly config: Config;
  readonly draft: MethodDraft;
  /** Of the edited method; `new` while it has none. */
  readonly id: string;
  /** Where the cart goes; null: to no zone. */
  readonly zoneId: string | null;
  readonly cart: Cart;
  readonly at: string;
}

/** The preview that tries the draft. */
export function trialOf({ config, draft, id, zoneId, cart, at }: TrialInput): Trial {
  const zone = config.zones.find(({ id }) => id === zoneId);
  const met = new Set([zone?.id, ...(zone?.subzones ?? []).map(({ id }) => id)]);
  const edited = { ...configData(draft, id), name: draft.name || 'New method', serviceCode: codeOf(draft) };
  const methods = config.methods.filter((method) => method.id === id || met.has(method.zoneId));
  const found = methods.findIndex((method) => method.id === id);
  const place = found < 0 ? methods.length : found;
  const data = {
    methods: (methods as readonly object[]).toSpliced(place, 1, edited),
    blendedRates: config.blendedRates.filter(({ zoneId: of }) => met.has(of)),
    checks: [
      {
        name: 'Trial',
        request: cart,
        at: at === '' ? null : at,
        // Both fail where they can: only a failed expectation tells what is offered, and why a method is not.
        expectations: [
          { kind: 'rates', rates: [] },
          { kind: 'rate_between', serviceCode: codeOf(draft), minPrice: 0, maxPrice: PRICE_MAX },
        ],
      },
    ],
  };
  return { body: { action: 'preview', data } as unknown as Trial['body'], place };
}

export interface Tried {
  readonly rates: readonly { readonly serviceCode: string; readonly totalPrice: number }[];
  /** Why the edited method is not offered; null when it is. */
  readonly reason: string | null;
  /** What the lint finds in the edited method alone. */
  readonly warnings: readonly string[];
}

export function readTrial(
  preview: Schemas['PreviewAnswer'],
  { draft, id }: Pick<TrialInput, 'draft' | 'id'>,
): Tried {
  const failures = preview.checks.results[0]?.failures ?? [];
  const offered = failures.find(({ expectation }) => expectation.kind === 'rates');
  const missing = failures.find(({ expectation }) => expectation.kind === 'rate_between');
  const { rules } = configData(draft, id) as { readonly rules: readonly { readonly id: string }[] };
  const own = new Set([id, ...rules.map((rule) => rule.id)]);
  return {
    rates: offered?.actual ?? [],
    reason: missing?.reason.replace(`${CODE_OF_THE_DRAFT} is`, 'The new method is') ?? null,
    warnings: preview.warnings.filter(({ record }) => own.has(record.id ?? '')).map(({ message }) => message),
  };
}

/** What a rule lacks before the edit can be tried; null when nothing is. An empty field is no error while it is new. */
export function missingIn({ rules }: MethodDraft, vocabulary: Vocabulary): string | null {
  for (const [index, { action, adjustmentValue, conditions }] of rules.entries()) {
    if (isAdjusting(action) && adjustmentValue === null) return `rule ${index + 1} has no amount`;
    const bare = conditions.findIndex(({ operator, value }) => {
      const values = valuesOf(value);
      return values.includes('') || values.length < valueCount(vocabulary, operator)[0];
    });
    if (bare >= 0) return `condition ${bare + 1} of rule ${index + 1} has no value`;
  }
  return null;
}

export interface TrialErrors {
  /** By the paths of the fields of the editor and of the cart. */
  readonly byPath: ReadonlyMap<string, string>;
  /** The same as sentences, for what no field shows. */
  readonly sentences: readonly string[];
}

export function trialErrors(failure: CallFailure | null, { place }: Trial, draft: MethodDraft): TrialErrors {
  const byPath = new Map<string, string>();
  const sentences: string[] = [];
  for (const [path, text] of fieldErrors(failure)) {
    const within = path
      .replace(`/data/methods/${place}/`, '/')
      .replace('/data/checks/0/request/', '/')
      .replace(/^\/data\//, '/');
    const keyOf = (_: string, index: string): string => `/rules/${draft.rules[Number(index)]?.id}`;
    byPath.set(within.replace(/^\/rules\/(\d+)/, keyOf), text);
    sentences.push(`${pathText(within)} ${text}`.trim());
  }
  return { byPath, sentences };
}
