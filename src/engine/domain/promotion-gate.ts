/** The gate before a promotion: what must hold before a changeset may become live (contract section 10.2). */
import Type, { type Static } from '#typebox';
import { strict } from './schema.ts';

const percent = Type.Number({ minimum: 0, maximum: 100, 'x-accepts': 'a number from 0 to 100' });

/** Criterion -> its setting. A criterion that is absent, or false, asks nothing. */
export const PromotionGate = strict('PromotionGate', {
  checksPass: Type.Optional(Type.Boolean({ description: 'No enabled check of the changeset fails' })),
  secondPerson: Type.Optional(
    Type.Boolean({ description: 'The key that promotes has written nothing of the changeset' }),
  ),
  noNewLintErrors: Type.Optional(
    Type.Boolean({ description: 'The lint finds no error that the live configuration does not have' }),
  ),
  noLostCarts: Type.Optional(
    Type.Boolean({ description: 'No evaluated live cart that has a rate live has none staged' }),
  ),
  differentPercentMax: Type.Optional(percent),
  coveragePercentMin: Type.Optional(percent),
  evaluatedMin: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Evaluated live carts at least' }),
  ),
});
export type PromotionGate = Readonly<Static<typeof PromotionGate>>;

export type GateCriterion = keyof PromotionGate;
export const GATE_CRITERIA = Object.keys(PromotionGate.properties) as readonly GateCriterion[];

/** The gate of a new shop (contract section 12.8). */
export const NEW_SHOP_GATE: PromotionGate = { checksPass: true };

/** True when this gate asks for this criterion. */
export const asksFor = (gate: PromotionGate, criterion: GateCriterion): boolean =>
  gate[criterion] !== undefined && gate[criterion] !== false;

const OF_CARTS = [
  'noLostCarts',
  'differentPercentMax',
  'coveragePercentMin',
  'evaluatedMin',
] as const satisfies readonly GateCriterion[];

/** True when this gate asks what live carts are offered. */
export const asksForCarts = (gate: PromotionGate | null): boolean =>
  gate !== null && OF_CARTS.some((criterion) => asksFor(gate, criterion));
