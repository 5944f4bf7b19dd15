/**
 * What can be read of the `data` of a bulk write that does not have its shape, so that its other defects are found
 * too. What is malformed gives way to a value in which nothing is found, in the same place, so that all paths stay
 * those of the client; nothing is found either that a malformed part may be the reason of:
 *
 * - Fields that are judged together are read together or not at all.
 * - A field that is left out beside a name that no field has may have been meant by it: it counts as malformed.
 * - Where an id could not be read, no reference of its kind counts as one to nothing.
 */
import { GROUP_MATCHER_FIELDS, type GroupMatcherField } from '../domain/product-group.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { ShapeDefect } from '../wire/schema-check.ts';
import type { ConditionInput, ConfigData } from '../wire/write-bodies.ts';
import { UNREAD_ID, type Unread } from './references.ts';

export interface ReadableData {
  readonly data: ConfigData;
  readonly unread: Unread;
}

type Flag = keyof Unread;

/** What takes the place of a malformed part, and what is unread then. */
interface ValuePart {
  readonly kind: 'value';
  readonly sound: unknown;
  readonly unread: readonly Flag[];
}
interface ListPart {
  readonly kind: 'list';
  readonly element: Part;
  readonly unread: readonly Flag[];
}
interface RecordPart {
  readonly kind: 'record';
  readonly fields: Readonly<Record<string, Part>>;
  /** Fields that are judged together. */
  readonly tied: readonly string[];
}
type Part = ValuePart | ListPart | RecordPart;

const value = (sound: unknown, ...unread: Flag[]): ValuePart => ({ kind: 'value', sound, unread });
const list = (element: Part, ...unread: Flag[]): ListPart => ({ kind: 'list', element, unread });

/** Fields of a schema's type that are not ignored: all of them must be there, and no other. */
type ReadField<T> = { [K in keyof T & string]-?: unknown extends T[K] ? never : K }[keyof T & string];
type ElementOf<T> = NonNullable<T> extends readonly (infer E)[] ? E : never;
type ZoneData = ElementOf<ConfigData['zones']>;
type GroupData = ElementOf<ConfigData['productGroups']>;
type MethodData = ElementOf<ConfigData['methods']>;
type BlendData = ElementOf<ConfigData['blendedRates']>;

const record = <T>(
  fields: Readonly<Record<ReadField<T>, Part>>,
  ...tied: readonly ReadField<T>[]
): RecordPart => ({ kind: 'record', fields, tied });

const LEFT_OUT = value(undefined);
const TEXT = value('');
const REFERENCE = value(UNREAD_ID);
const SOUND_CONDITION: ConditionInput = { conditionType: 'product_tag', operator: 'is_empty' };

const MATCHERS = Object.fromEntries(
  GROUP_MATCHER_FIELDS.map((field) => [field, list(value('any'))]),
) as Record<GroupMatcherField, Part>;

const SUBZONE = record<ElementOf<ZoneData['subzones']>>({
  id: value(undefined, 'zones'),
  name: TEXT,
  postalCodes: TEXT,
});
const ZONE = record<ZoneData>({
  id: value(undefined, 'zones'),
  name: TEXT,
  countries: value([]),
  subzones: list(SUBZONE, 'zones'),
});
const GROUP = record<GroupData>({
  id: value(undefined, 'productGroups'),
  name: TEXT,
  isDefault: value(false, 'defaultGroup'),
  ...MATCHERS,
});
const RULE = record<ElementOf<MethodData['rules']>>(
  {
    id: LEFT_OUT,
    action: value('hide'),
    adjustmentValue: LEFT_OUT,
    adjustmentType: LEFT_OUT,
    conditions: list(value(SOUND_CONDITION)),
    enabled: LEFT_OUT,
    name: LEFT_OUT,
  },
  'action',
  'adjustmentValue',
  'adjustmentType',
);
const METHOD = record<MethodData>(
  {
    id: value(undefined, 'methods'),
    name: TEXT,
    subtitle: LEFT_OUT,
    serviceCode: LEFT_OUT,
    zoneId: REFERENCE,
    productGroupId: REFERENCE,
    rateType: value('free'),
    config: value({}),
    enabled: LEFT_OUT,
    freeShippingThreshold: LEFT_OUT,
    rules: list(RULE),
  },
  'rateType',
  'config',
);
const BLEND = record<BlendData>({
  id: LEFT_OUT,
  name: TEXT,
  subtitle: LEFT_OUT,
  serviceCode: LEFT_OUT,
  zoneId: REFERENCE,
  freeShippingThreshold: LEFT_OUT,
  preferences: list(
    record<ElementOf<BlendData['preferences']>>({
      productGroupId: REFERENCE,
      preferredMethodId: value(null),
    }),
  ),
  enabled: LEFT_OUT,
});
const DATA = record<ConfigData>({
  zones: list(ZONE, 'zones'),
  productGroups: list(GROUP, 'productGroups', 'defaultGroup'),
  methods: list(METHOD, 'methods'),
  blendedRates: list(BLEND),
});

/** Where the defects are: one node for each place on the way to one. */
interface Marks {
  /** The value itself is malformed, and not only something below it. */
  isHere: boolean;
  readonly below: Map<string, Marks>;
}

function marksOf(defects: readonly ShapeDefect[]): Marks {
  const root: Marks = { isHere: false, below: new Map() };
  for (const { path } of defects) {
    let marks = root;
    for (const segment of path.split('/').slice(1)) {
      const next = marks.below.get(segment) ?? { isHere: false, below: new Map() };
      marks.below.set(segment, next);
      marks = next;
    }
    marks.isHere = true;
  }
  return root;
}

const MALFORMED: Marks = { isHere: true, below: new Map() };

interface Reading {
  readonly unread: { -readonly [F in Flag]: boolean };
  readonly shouldYield: ShouldYield;
}

/** `body` has `defects`, which are all of its shape. Null when there is no `data` that something could be said of. */
export function* readableDataSteps(
  body: unknown,
  defects: readonly ShapeDefect[],
  shouldYield: ShouldYield,
): WorkSteps<ReadableData | null> {
  const { isHere, below } = marksOf(defects);
  const marks = below.get('data') ?? { isHere: false, below: new Map() };
  if (isHere || marks.isHere) return null;
  const unread = { zones: false, productGroups: false, methods: false, defaultGroup: false };
  // Sound: all that has no mark has its shape, and what has one was put in its place.
  const data = (yield* readSteps(DATA, (body as { readonly data: unknown }).data, marks, {
    unread,
    shouldYield,
  })) as ConfigData;
  const groups = data.productGroups ?? [];
  const defaultAt = groups.findIndex(({ isDefault }) => isDefault === true);
  if (defaultAt >= 0) {
    // A group whose mark could not be read stays in doubt beside it: it may be the default before this one.
    const marksOfDefault = marks.below.get('productGroups')?.below.get(String(defaultAt));
    unread.defaultGroup ||= marksOfDefault?.below.has('id') === true;
  }
  return { data, unread };
}

function* readSteps(part: Part, given: unknown, marks: Marks, reading: Reading): WorkSteps<unknown> {
  if (part.kind === 'record') return yield* readRecord(part, given, marks, reading);
  if (part.kind === 'list' && !marks.isHere) {
    return yield* readList(part, given as readonly unknown[], marks, reading);
  }
  for (const flag of part.unread) reading.unread[flag] = true;
  return part.kind === 'list' ? [] : part.sound;
}

/** Elements without a mark stay what they are. */
function* readList(
  { element }: ListPart,
  given: readonly unknown[],
  marks: Marks,
  reading: Reading,
): WorkSteps<readonly unknown[]> {
  const read: unknown[] = [];
  for (const one of given) {
    read.push(one);
    if (reading.shouldYield()) yield;
  }
  for (const [index, below] of marks.below) {
    const at = Number(index);
    read[at] = yield* readSteps(element, given[at], below, reading);
  }
  return read;
}

function* readRecord(
  { fields, tied }: RecordPart,
  given: unknown,
  marks: Marks,
  reading: Reading,
): WorkSteps<Readonly<Record<string, unknown>>> {
  const values = marks.isHere ? {} : (given as Readonly<Record<string, unknown>>);
  const hasOtherName = [...marks.below.keys()].some((name) => !Object.hasOwn(fields, name));
  const marksOfField = (name: string): Marks | undefined => {
    if (marks.isHere || (hasOtherName && !Object.hasOwn(values, name))) return MALFORMED;
    return marks.below.get(name);
  };
  const isTieMarked = tied.some((name) => marksOfField(name) !== undefined);
  const read: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(fields)) {
    const below = isTieMarked && tied.includes(name) ? MALFORMED : marksOfField(name);
    read[name] = below === undefined ? values[name] : yield* readSteps(part, values[name], below, reading);
  }
  return read;
}
