/**
 * Findings of the lint: defects and doubtful points of a valid configuration. The table gives each code its severity
 * and its meaning; schemas, vocabulary and documents derive from it.
 */
import Type, { type Static } from '#typebox';
import { KEPT_REQUEST_FIELDS } from './cart.ts';
import { type Fixed, Id, orNull, strict } from './schema.ts';
import { CompareEntry, RECORD_KINDS } from './version.ts';

/**
 * `error`: the record has no effect. `warning`: the record works, but probably not as it was meant. `info`: the record
 * is superfluous or worth a look.
 */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Severity -> code -> meaning, in the order in which a report lists them. */
const MEANINGS = {
  error: {
    rule_never_matches:
      'Two conditions of the rule contradict each other on one value, or no request can satisfy one of them.',
    method_never_visible:
      'A hide rule without an exception, show rules that never match, or the rate table keep the method from ever being offered.',
    zone_never_matches: 'Every country of the zone is listed by an earlier zone, or it has none.',
    subzone_never_matches: 'No postal code can fall into the subzone.',
    cart_without_rates:
      'Product groups have visible methods at a place, but no cart of them together gets a rate there.',
    delivery_without_working_days:
      'The method has a delivery time, but the shop has no working day, so its rates have no dates.',
  },
  warning: {
    rule_unmatched:
      'The rule matched no probe cart (a cart made from the values of the configuration) and no live cart in 30 days.',
    method_unseen: 'The method was offered to no probe cart, and to no cart kept of live traffic.',
    tier_gap: 'Totals between two tiers of a rate table have no rate.',
    tier_price_falls:
      'A tier of more weight or pieces costs less than the one before, or prices by total fall and rise again.',
    postal_pattern_never_wins: 'Every code that the pattern matches is decided by another pattern.',
    postal_pattern_impossible: "No postal code as the zone's countries write it can match the pattern.",
    group_never_filled: 'No item can belong to the product group.',
    group_without_method: 'A zone that has methods for other product groups has none for this one.',
    subzone_without_method: 'A product group has methods elsewhere in the zone, but none for this subzone.',
    threshold_below_prices:
      'The free-shipping threshold is reached before any price of the record can be charged.',
    duplicate_service_code: 'One answer can offer two rates with the same service code.',
    check_of_unknown_service:
      'A check expects or rules out a service code that no method or blended rate has.',
    delivery_on_some_methods: 'Some methods of the zone have a delivery time and some have none.',
  },
  info: {
    holidays_past: 'Delivery dates are made, and every holiday of the shop lies before today.',
    zone_remainder_without_method:
      'A product group has methods in subzones only: the rest of the zone has none.',
    zone_without_method: 'Other zones have methods, this one has none in force.',
  },
} as const satisfies Record<Severity, Readonly<Record<string, string>>>;

export type FindingCode = { [S in Severity]: keyof (typeof MEANINGS)[S] }[Severity];

export const FINDING_CODES = Object.fromEntries(
  SEVERITIES.flatMap((severity) =>
    Object.entries(MEANINGS[severity]).map(([code, meaning]) => [code, { severity, meaning }]),
  ),
) as Readonly<Record<FindingCode, { readonly severity: Severity; readonly meaning: string }>>;
export const FINDING_CODE_NAMES = Object.keys(FINDING_CODES) as FindingCode[];

/** Findings of one code that a report holds; it counts the others. */
export const FINDINGS_PER_CODE_MAX = 100;

/** The record at fault; a rule is named by its action, as in a comparison. */
export const FindingRecord = strict('FindingRecord', {
  kind: Type.Enum(RECORD_KINDS),
  id: Id,
  name: Type.String(),
  parentId: Type.Optional(Id),
});
export type FindingRecord = Readonly<Static<typeof FindingRecord>>;

/** A request that shows the defect when it is simulated at this instant. */
export const Witness = strict('Witness', {
  request: Type.Object(KEPT_REQUEST_FIELDS),
  at: Type.String({ description: 'ISO time, for the parameter `at` of a simulation' }),
});
export type Witness = Readonly<Static<typeof Witness>>;

const code = Type.Enum(FINDING_CODE_NAMES, {
  title: 'FindingCode',
  description: FINDING_CODE_NAMES.map((name) => `\`${name}\`: ${FINDING_CODES[name].meaning}`).join('\n'),
});
const evidence = {
  message: Type.String({ description: 'One sentence' }),
  witness: orNull(Witness, { description: 'null where no request shows the defect' }),
};
const graded = { code, severity: Type.Enum(SEVERITIES) };

export const Finding = strict('Finding', { ...graded, record: FindingRecord, ...evidence });
export type Finding = Readonly<Static<typeof Finding>>;

const omitted = Type.Array(strict('OmittedFindings', { code, count: Type.Integer({ minimum: 1 }) }), {
  description: `How many more there are of a code: each is listed ${FINDINGS_PER_CODE_MAX} times at most`,
});

/** All findings in the order of the table of codes, and the number of further ones of each code. */
export const LintReport = strict('LintReport', { findings: Type.Array(Finding), omitted });
export type LintReport = Fixed<typeof LintReport>;

/** A finding about the configuration that execute would make. */
const Warning = strict('Warning', { ...graded, record: CompareEntry, ...evidence });

/** The report on the configuration that execute would make, as part of the answer of a preview. */
export const PREVIEW_WARNINGS = { warnings: Type.Array(Warning), warningsOmitted: omitted };
export interface PreviewWarnings {
  readonly warnings: readonly Readonly<Static<typeof Warning>>[];
  readonly warningsOmitted: LintReport['omitted'];
}
