/** The accepted export of WooCommerce's shipping zones: the answers of its REST API combined. */
import Type, { type Static, type TSchema } from '#typebox';
import { Name } from '../domain/text.ts';

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const wholeNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const text = Type.String({ maxLength: 1_000 });

/** `wc/v3/shipping/zones/<id>/locations` */
const Location = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 200 }),
  type: Type.Enum(['country', 'state', 'continent', 'postcode'], {
    'x-accepts': 'country, state, continent or postcode',
  }),
});

/** `wc/v3/shipping/zones/<id>/methods` */
const Method = Type.Object({
  method_id: text,
  title: Name,
  enabled: optional(Type.Boolean()),
  order: optional(wholeNumber),
  settings: optional(Type.Record(Type.String(), Type.Unknown())),
});

/** `wc/v3/shipping/zones` */
const Zone = Type.Object({
  id: wholeNumber,
  name: Name,
  order: optional(wholeNumber),
  locations: optional(Type.Array(Location, { maxItems: 100_000 })),
  methods: optional(Type.Array(Method, { maxItems: 1_000 })),
});

export const WooExport = Type.Object({ zones: Type.Array(Zone, { maxItems: 2_000 }) });
export type WooExport = Static<typeof WooExport>;
export type WooZone = WooExport['zones'][number];
export type WooMethod = NonNullable<WooZone['methods']>[number];

/** The value of a setting as text; "" when it is missing. */
export function settingOf({ settings }: WooMethod, name: string): string {
  const value = settings?.[name];
  const inner = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  return typeof inner === 'string' || typeof inner === 'number' ? String(inner).trim() : '';
}
