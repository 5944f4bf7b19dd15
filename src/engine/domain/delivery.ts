/**
 * Delivery times of methods and the fulfilment of a shop: together they give the delivery dates of rates (contract
 * sections 11.7 and 11.8).
 */
import Type, { type Static } from '#typebox';
import { TIME_OF_DAY_PATTERN, WEEKDAYS, type Weekday } from './condition.ts';
import { allOptional, orNull, strict } from './schema.ts';

export const DELIVERY_DAYS_MAX = 365;
const HANDLING_DAYS_MAX = 60;
const HOLIDAYS_MAX = 200;
/** The cutoff of a shop that has none. */
export const NO_CUTOFF = '00:00';

const days = (maximum: number) =>
  Type.Integer({ minimum: 0, maximum, 'x-accepts': `whole working days, 0 to ${maximum}` });

/** Working days from the day on which a parcel leaves to its delivery. */
export const Delivery = strict('Delivery', {
  minDays: days(DELIVERY_DAYS_MAX),
  maxDays: days(DELIVERY_DAYS_MAX),
});
export type Delivery = Readonly<Static<typeof Delivery>>;
export const DeliveryOrNull = orNull(Delivery, {
  'x-accepts': 'minDays and maxDays in working days, or null for no delivery dates',
});

const time = (description: string) =>
  Type.String({ pattern: TIME_OF_DAY_PATTERN, description, 'x-accepts': 'a time of day as HH:MM' });

/** Cutoffs of single weekdays, before that of all days. */
const CutoffByDay = strict(
  'CutoffByDay',
  Object.fromEntries(
    WEEKDAYS.map((day) => [
      day,
      Type.Optional(time(`The cutoff on this day, in place of cutoff; ${NO_CUTOFF} for none`)),
    ]),
  ) as { readonly [D in Weekday]: Type.TOptional<Type.TString> },
);

export const Fulfilment = strict('Fulfilment', {
  cutoff: time(`An order at or after this time counts as one of the next day; ${NO_CUTOFF} for none`),
  cutoffByDay: Type.Optional(CutoffByDay),
  handlingDays: days(HANDLING_DAYS_MAX),
  workingDays: Type.Array(Type.Enum([...WEEKDAYS]), {
    uniqueItems: true,
    maxItems: WEEKDAYS.length,
    'x-accepts': `up to ${WEEKDAYS.length} different days of ${WEEKDAYS.join(', ')}`,
  }),
  holidays: Type.Array(
    Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'x-accepts': 'a date as YYYY-MM-DD' }),
    { maxItems: HOLIDAYS_MAX, 'x-accepts': `up to ${HOLIDAYS_MAX} dates as YYYY-MM-DD` },
  ),
});
export type Fulfilment = Readonly<Static<typeof Fulfilment>>;

/** As clients write it: a field that is absent has its default. */
export const FulfilmentInput = strict('FulfilmentInput', allOptional(Fulfilment.properties));
export type FulfilmentInput = Readonly<Static<typeof FulfilmentInput>>;

/** The cutoff of a weekday. */
export const cutoffOn = ({ cutoff, cutoffByDay }: Fulfilment, day: Weekday): string =>
  cutoffByDay?.[day] ?? cutoff;

export const FULFILMENT_DEFAULT: Fulfilment = {
  cutoff: NO_CUTOFF,
  handlingDays: 0,
  workingDays: WEEKDAYS.slice(0, 5),
  holidays: [],
};
