/**
 * What a cart would be offered if an edit were saved, without saving it: a preview of the configuration with the edit, which
 * explains the cart. Only methods and blended rates of the zone of the cart are sent, so that the preview stays small in a
 * shop of thousands of methods.
 */
import type { CallFailure } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { fieldText, pathText } from '../labels.ts';
import { fieldErrors } from '../service.ts';
import type { Explained } from '../tester/answers.ts';
import { type Cart, momentOf } from '../tester/cart.ts';
import { type Vocabulary, valueCount, valuesOf } from './condition-words.ts';
import { configData, dataId, isAdjusting, type MethodDraft } from './method-kind.ts';
import { missingNumber, schemaOf } from './rate-words.ts';

export type Config = Schemas['ConfigSnapshot'];

/** Stands for the service code that a new method does not have yet. */
const CODE_OF_THE_DRAFT = 'the-method-that-is-edited';

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
    checks: [],
  };
  const body = { action: 'preview', data, request: cart, ...momentOf(at) };
  return { body: body as unknown as Trial['body'], place };
}

export interface Tried {
  readonly answer: Explained;
  /** What the lint finds in the edited method alone. */
  readonly warnings: readonly string[];
}

/** Null for a preview without a cart. */
export function readTrial(
  { simulation, warnings }: Schemas['PreviewAnswer'],
  { draft, id }: Pick<TrialInput, 'draft' | 'id'>,
): Tried | null {
  if (simulation === undefined) return null;
  const own = new Set([id, ...draft.rules.map((rule) => rule.id)].map(dataId));
  return {
    answer: simulation,
    warnings: warnings.filter(({ record }) => own.has(record.id ?? '')).map(({ message }) => message),
  };
}

/** What the method lacks before the edit can be tried, or null. It is no error, because new fields are empty. */
export function missingIn({ rateType, config, rules }: MethodDraft, vocabulary: Vocabulary): string | null {
  const number = missingNumber(schemaOf(vocabulary.rateTypes, rateType), config);
  if (number !== null) return `“${fieldText(['config', ...number])}” is empty`;
  for (const [index, { action, adjustmentValue, conditions }] of rules.entries()) {
    if (action === '') return `rule ${index + 1} has no action`;
    if (isAdjusting(action) && adjustmentValue === null) return `rule ${index + 1} has no amount`;
    const bare = conditions.findIndex(({ operator, value }) => {
      const values = valuesOf(value);
      return values.includes('') || values.length < valueCount(vocabulary, operator)[0];
    });
    if (bare >= 0) return `condition ${bare + 1} of rule ${index + 1} has no value`;
  }
  return null;
}

/** By the paths of the fields of the editor and of the cart, and the same as sentences, for what no field shows. */
export function trialErrors(failure: CallFailure | null, { place }: Trial, draft: MethodDraft) {
  const byPath = new Map<string, string>();
  const sentences: string[] = [];
  for (const [path, text] of fieldErrors(failure)) {
    const within = path
      .replace(`/data/methods/${place}/`, '/')
      .replace(/^\/request\//, '/')
      .replace(/^\/data\//, '/');
    const keyOf = (_: string, index: string): string => `/rules/${draft.rules[Number(index)]?.id}`;
    byPath.set(within.replace(/^\/rules\/(\d+)/, keyOf), text);
    sentences.push(`${pathText(within)} ${text}`.trim());
  }
  return { byPath, sentences };
}
