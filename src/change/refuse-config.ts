/**
 * Refuses a bulk write whose body does not match the schema (contract section 8). The refusal names the schema errors
 * first. It then names the defects in the rest of the body, as if the malformed parts were correct.
 *
 * Each malformed part is replaced, in place, by a value without defects, so that all paths stay those of the client. A
 * malformed part must not cause further defects:
 *
 * - Fields that are checked together are read together or not at all.
 * - An omitted field counts as malformed when an unknown field name stands beside it, which may be a misspelling of it.
 * - When an id could not be read, no reference to a record of its kind counts as dangling.
 */
import type { Expectation } from '../domain/expectation.ts';
import type { Failure } from '../domain/failure.ts';
import { GROUP_MATCHER_FIELDS } from '../domain/product-group.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { invariant } from '../runtime/invariant.ts';
import { valueAt } from '../runtime/map-entries.ts';
import { type ShapeDefect, shapeFailure } from '../wire/schema-check.ts';
import {
  type CheckCreate,
  CONFIG_DEFECTS_MAX,
  type ConditionInput,
  ConfigData,
} from '../wire/write-bodies.ts';
import { scopeOf } from './decide.ts';
import { replacementSteps } from './decide-config.ts';
import { UNREAD_ID, type Unread } from './references.ts';

/** Placeholder seed: its ids cannot collide with ids of clients, and it keeps refusals deterministic. */
const SEED = '(new)';

/**
 * VALIDATION_ERROR with the first defects, at most `CONFIG_DEFECTS_MAX`. `defects` are the first defects of `body`
 * against the schema `ConfigAction`: at least one, up to that number. Linear.
 */
export function* refuseConfigSteps(
  state: ShopState,
  body: unknown,
  defects: readonly ShapeDefect[],
  shouldYield: ShouldYield,
): WorkSteps<Failure> {
  if (defects.length >= CONFIG_DEFECTS_MAX) return shapeFailure(defects);
  const readable = readableData(body, defects);
  if (readable === null) return shapeFailure(defects);
  const { data, unread } = readable;
  const known = { lines: defects.map(({ line }) => line), unread };
  const replacement = yield* replacementSteps(scopeOf(state, { seed: SEED }, shouldYield), data, known);
  invariant(!replacement.ok, 'a body with defects is refused');
  return replacement;
}

type UnreadKind = Unread extends ReadonlySet<infer K> ? K : never;

/** Tree of the positions of defects: one node for each step of a path to a defect. */
interface Marks {
  /** The value itself is malformed; false when only a value below it is. */
  isHere: boolean;
  readonly below: Map<string, Marks>;
}

const noMarks = (): Marks => ({ isHere: false, below: new Map() });
const MALFORMED: Marks = { isHere: true, below: new Map() };

/** Reads a part of the body in which a defect is; what a replacement made unreadable is noted in `unread`. */
type ReadPart = (given: unknown, marks: Marks, unread: Set<UnreadKind>) => unknown;

/** A malformed value is replaced by `sound`; `kinds` then count as unread. */
const value =
  (sound: unknown, ...kinds: readonly UnreadKind[]): ReadPart =>
  (_given, _marks, unread) => {
    for (const kind of kinds) unread.add(kind);
    return sound;
  };

const list = (readElement: ReadPart, ...kinds: readonly UnreadKind[]): ReadPart => {
  const readMalformed = value([], ...kinds);
  return (given, marks, unread) => {
    if (marks.isHere) return readMalformed(given, marks, unread);
    const read = (given as readonly unknown[]).slice();
    for (const [index, below] of marks.below) {
      const at = Number(index);
      read[at] = readElement(read[at], below, unread);
    }
    return read;
  };
};

/** Fields of the schema that are absent from `fields` are dropped; those of `tied` are checked together. */
const record = <F extends object>(
  { properties }: { readonly properties: F },
  fields: { readonly [K in keyof F]?: ReadPart },
  ...tied: readonly (keyof F & string)[]
): ReadPart => {
  const leftOut = Object.fromEntries(Object.keys(properties).map((field) => [field, LEFT_OUT]));
  const parts: Readonly<Record<string, ReadPart>> = { ...leftOut, ...fields };
  return (given, marks, unread) => {
    const values = marks.isHere ? {} : (given as Readonly<Record<string, unknown>>);
    const hasOtherName = [...marks.below.keys()].some((name) => !Object.hasOwn(parts, name));
    const marksOfField = (name: string): Marks | undefined => {
      if (marks.isHere || (hasOtherName && !Object.hasOwn(values, name))) return MALFORMED;
      return marks.below.get(name);
    };
    const tiedNames: readonly string[] = tied;
    const isTieMarked = tiedNames.some((name) => marksOfField(name) !== undefined);
    const read: Record<string, unknown> = {};
    for (const [name, readField] of Object.entries(parts)) {
      const below = isTieMarked && tiedNames.includes(name) ? MALFORMED : marksOfField(name);
      read[name] = below === undefined ? values[name] : readField(values[name], below, unread);
    }
    return read;
  };
};

const LEFT_OUT = value(undefined);
const TEXT = value('');
const REFERENCE = value(UNREAD_ID);
const SOUND_CART: CheckCreate['request'] = {
  destination: { country: 'US' },
  items: [{ quantity: 1, grams: 0, price: 0 }],
};
const SOUND_EXPECTATION: Expectation = { kind: 'some_rate' };
const SOUND_CONDITION: ConditionInput = { conditionType: 'product_tag', operator: 'is_empty' };

const { zones, productGroups, methods, blendedRates, checks } = ConfigData.properties;
const ZONE = record(zones.items, {
  id: value(undefined, 'zones'),
  name: TEXT,
  countries: value([]),
  subzones: list(
    record(zones.items.properties.subzones.items, {
      id: value(undefined, 'zones'),
      name: TEXT,
      postalCodes: TEXT,
    }),
    'zones',
  ),
});
const GROUP = record(productGroups.items, {
  id: value(undefined, 'productGroups'),
  name: TEXT,
  isDefault: value(false, 'defaultGroup'),
  ...Object.fromEntries(GROUP_MATCHER_FIELDS.map((field) => [field, list(value('any'))])),
});
const RULE = record(
  methods.items.properties.rules.items,
  { action: value('hide'), conditions: list(value(SOUND_CONDITION)) },
  'action',
  'adjustmentValue',
  'adjustmentType',
);
const METHOD = record(
  methods.items,
  {
    id: value(undefined, 'methods'),
    name: TEXT,
    zoneId: REFERENCE,
    productGroupId: REFERENCE,
    rateType: value('free'),
    config: value({}),
    rules: list(RULE),
  },
  'rateType',
  'config',
);
const PREFERENCE = record(blendedRates.items.properties.preferences.items, {
  productGroupId: REFERENCE,
  preferredMethodId: value(null),
});
const BLEND = record(blendedRates.items, { name: TEXT, zoneId: REFERENCE, preferences: list(PREFERENCE) });
const CHECK = record(checks.items, {
  name: TEXT,
  request: value(SOUND_CART),
  expectations: list(value(SOUND_EXPECTATION)),
});
const readData = record(ConfigData, {
  zones: list(ZONE, 'zones'),
  productGroups: list(GROUP, 'productGroups', 'defaultGroup'),
  methods: list(METHOD, 'methods'),
  blendedRates: list(BLEND),
  checks: list(CHECK),
});

function marksOf(defects: readonly ShapeDefect[]): Marks {
  const root = noMarks();
  for (const { path } of defects) {
    let marks = root;
    for (const segment of path.split('/').slice(1)) marks = valueAt(marks.below, segment, noMarks);
    marks.isHere = true;
  }
  return root;
}

/**
 * The readable part of `data` in `body`; `body` has no other schema errors than those given. Null when nothing can be
 * read. Copies the lists and records that have defects, at most `CONFIG_DEFECTS_MAX` of them.
 */
function readableData(
  body: unknown,
  defects: readonly ShapeDefect[],
): { readonly data: ConfigData; readonly unread: Unread } | null {
  const { isHere, below } = marksOf(defects);
  const marks = below.get('data') ?? noMarks();
  if (isHere || marks.isHere) return null;
  const unread = new Set<UnreadKind>();
  // Type-safe: parts without a mark match the schema, and the others were replaced.
  const data = readData((body as { readonly data: unknown }).data, marks, unread) as ConfigData;
  const defaultAt = (data.productGroups ?? []).findIndex(({ isDefault }) => isDefault === true);
  if (defaultAt >= 0) {
    // A group whose mark could not be read keeps the default group in doubt: it may be the default before this one.
    const marksOfDefault = marks.below.get('productGroups')?.below.get(String(defaultAt));
    if (marksOfDefault?.below.has('id') === true) unread.add('defaultGroup');
  }
  return { data, unread };
}
