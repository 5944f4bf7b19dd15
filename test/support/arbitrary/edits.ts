/**
 * Random edits of a configuration in the form of a shop's writes: a new tree that shares every unchanged record. New
 * records come from `donor`, another random shop with the same alphabets.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { ProductGroup } from '../../../src/engine/domain/product-group.ts';
import type { Rule } from '../../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { Subzone, Zone } from '../../../src/engine/domain/zone.ts';
import type { SimulationSettings } from '../shop-arbitraries.ts';
import { shopConfig } from './config.ts';

export interface ShopForm {
  readonly config: ShopConfig;
  readonly settings: SimulationSettings;
}

interface EditContext {
  readonly donor: ShopConfig;
  readonly settings: SimulationSettings;
  /** Chooses the record, the donor's record, and a place in a list. */
  readonly index: number;
  readonly donorIndex: number;
  readonly place: number;
}

type Edit = (form: ShopForm, context: EditContext) => ShopForm;

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];

const replaced = <T>(list: readonly T[], index: number, change: (element: T) => T): readonly T[] =>
  list.map((element, i) => (i === index % list.length ? change(element) : element));

function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const element = at(list, from);
  if (element === undefined) return list;
  const rest = list.filter((_, i) => i !== from % list.length);
  const place = to % list.length;
  return [...rest.slice(0, place), element, ...rest.slice(place)];
}

const withConfig = (form: ShopForm, part: Partial<ShopConfig>): ShopForm => ({
  ...form,
  config: { ...form.config, ...part },
});

const editMethod = (
  form: ShopForm,
  { index }: EditContext,
  change: (method: ShippingMethod) => ShippingMethod,
): ShopForm => withConfig(form, { methods: replaced(form.config.methods, index, change) });

const editZone = (form: ShopForm, { index }: EditContext, change: (zone: Zone) => Zone): ShopForm =>
  withConfig(form, { zones: replaced(form.config.zones, index, change) });

const editGroup = (form: ShopForm, index: number, change: (group: ProductGroup) => ProductGroup): ShopForm =>
  withConfig(form, { productGroups: replaced(form.config.productGroups, index, change) });

const editSubzone = (form: ShopForm, context: EditContext, change: (subzone: Subzone) => Subzone): ShopForm =>
  editZone(form, context, (zone) => ({ ...zone, subzones: replaced(zone.subzones, context.place, change) }));

/** The donor's rules with new ids, so that all rules of the shop have different ids. */
const donatedRules = ({ donor, donorIndex, place }: EditContext): readonly Rule[] =>
  (at(donor.methods, donorIndex)?.rules ?? []).map((rule) => ({ ...rule, id: `${rule.id}_${place}` }));

/** The donor's rules that the method does not have yet. */
const newRules = (method: ShippingMethod, context: EditContext): readonly Rule[] =>
  donatedRules(context).filter(({ id }) => method.rules.every((rule) => rule.id !== id));

/** The blended rates without any preference for this method. */
const withoutPreference = ({ blendedRates }: ShopConfig, methodId: string): ShopConfig['blendedRates'] =>
  blendedRates.map((blended) =>
    blended.preferences.some((preference) => preference.preferredMethodId === methodId)
      ? { ...blended, preferences: blended.preferences.filter((each) => each.preferredMethodId !== methodId) }
      : blended,
  );

/** Removes a method and every preference for it. */
function removeMethod(form: ShopForm, index: number): ShopForm {
  const { methods } = form.config;
  const removed = at(methods, index);
  if (removed === undefined || methods.length === 1) return form;
  return withConfig(form, {
    methods: methods.filter((method) => method !== removed),
    blendedRates: withoutPreference(form.config, removed.id),
  });
}

/** A method with the same rule objects, in another group or place. */
function rebindMethod(
  form: ShopForm,
  context: EditContext,
  binding: Partial<Pick<ShippingMethod, 'zoneId' | 'productGroupId'>>,
): ShopForm {
  const method = at(form.config.methods, context.index);
  if (method === undefined) return form;
  const rebound = editMethod(form, context, (each) => ({ ...each, ...binding }));
  return withConfig(rebound, { blendedRates: withoutPreference(form.config, method.id) });
}

const METHOD_EDITS: readonly Edit[] = [
  (form, context) => editMethod(form, context, (method) => ({ ...method, enabled: !method.enabled })),
  (form, context) =>
    editMethod(form, context, (method) => {
      const other = at(context.donor.methods, context.donorIndex);
      return other === undefined
        ? method
        : ({ ...method, rateType: other.rateType, config: other.config } as ShippingMethod);
    }),
  (form, context) => editMethod(form, context, (method) => ({ ...method, rules: donatedRules(context) })),
  (form, context) =>
    editMethod(form, context, (method) => ({ ...method, rules: moved(method.rules, context.place, 0) })),
  (form, context) =>
    editMethod(form, context, (method) => ({
      ...method,
      rules: replaced(method.rules, context.place, (rule) => ({ ...rule, enabled: !rule.enabled })),
    })),
  (form, context) =>
    editMethod(form, context, (method) => ({
      ...method,
      freeShippingThreshold: at(context.donor.methods, context.donorIndex)?.freeShippingThreshold ?? null,
    })),
  (form, context) => editMethod(form, context, (method) => ({ ...method, name: 'Renamed', subtitle: 'é' })),
  (form, { index, place }) => withConfig(form, { methods: moved(form.config.methods, index, place) }),
  (form, { index }) => removeMethod(form, index),
  (form, context) => {
    const group = at(form.config.productGroups, context.place);
    return group === undefined ? form : rebindMethod(form, context, { productGroupId: group.id });
  },
  (form, context) => {
    const places = form.config.zones.flatMap((zone) => [zone.id, ...zone.subzones.map(({ id }) => id)]);
    const place = at(places, context.place);
    return place === undefined ? form : rebindMethod(form, context, { zoneId: place });
  },
  (form, context) =>
    editMethod(form, context, (method) => ({
      ...method,
      rules: replaced(method.rules, context.place, (rule) => ({
        ...rule,
        conditions: donatedRules(context)[0]?.conditions ?? [],
      })),
    })),
  (form, context) =>
    editMethod(form, context, (method) => ({
      ...method,
      rules: [...method.rules.filter((_, i) => i !== context.place), ...newRules(method, context)],
    })),
  (form, context) => {
    const copy = at(form.config.methods, context.index);
    if (copy === undefined) return form;
    const id = `${copy.id}_copy${context.place}`;
    if (form.config.methods.some((method) => method.id === id)) return form;
    const rules = copy.rules.map((rule) => ({ ...rule, id: `${rule.id}_copy${context.place}` }));
    return withConfig(form, { methods: [...form.config.methods, { ...copy, id, rules }] });
  },
];

const PLACE_EDITS: readonly Edit[] = [
  (form, { index, place }) => withConfig(form, { zones: moved(form.config.zones, index, place) }),
  (form, context) =>
    editZone(form, context, (zone) => ({
      ...zone,
      countries: at(context.donor.zones, context.donorIndex)?.countries ?? zone.countries,
    })),
  (form, context) => editZone(form, context, (zone) => ({ ...zone, name: 'Zone, renamed' })),
  (form, context) =>
    editZone(form, context, (zone) => ({ ...zone, subzones: moved(zone.subzones, context.place, 0) })),
  (form, context) => editSubzone(form, context, (subzone) => ({ ...subzone, name: 'Subzone, renamed' })),
  (form, context) =>
    editSubzone(form, context, (subzone) => ({
      ...subzone,
      postalCodes: at(context.donor.zones, context.donorIndex)?.subzones[0]?.postalCodes ?? '*',
    })),
];

const GROUP_EDITS: readonly Edit[] = [
  (form, { index, place }) =>
    withConfig(form, { productGroups: moved(form.config.productGroups, index, place) }),
  (form, { index, donor, donorIndex }) =>
    editGroup(form, index, (group) => {
      const other = at(donor.productGroups, donorIndex);
      return other === undefined
        ? group
        : { ...other, id: group.id, name: group.name, isDefault: group.isDefault };
    }),
  (form, { index }) =>
    withConfig(form, {
      productGroups: form.config.productGroups.map((group, i, { length }) =>
        group.isDefault === (i === index % length) ? group : { ...group, isDefault: !group.isDefault },
      ),
    }),
];

const OTHER_EDITS: readonly Edit[] = [
  (form, { index }) =>
    withConfig(form, {
      blendedRates: replaced(form.config.blendedRates, index, (each) => ({
        ...each,
        enabled: !each.enabled,
      })),
    }),
  (form, { index, place }) =>
    withConfig(form, { blendedRates: moved(form.config.blendedRates, index, place) }),
  (form, { index, place }) =>
    withConfig(form, {
      blendedRates: replaced(form.config.blendedRates, index, (each) => ({
        ...each,
        freeShippingThreshold: place * 500,
        preferences: each.preferences.slice(1),
      })),
    }),
  (form, { settings }) => ({ ...form, settings: { ...form.settings, currency: settings.currency } }),
  (form, { settings }) => ({ ...form, settings }),
  // A write without a change still makes a new tree.
  (form) => withConfig(form, {}),
];

const EDITS: readonly Edit[] = [
  ...METHOD_EDITS,
  ...METHOD_EDITS,
  ...PLACE_EDITS,
  ...GROUP_EDITS,
  ...OTHER_EDITS,
];

type ShopEdit = (form: ShopForm) => ShopForm;

/** One to `count` edits to be made one after the other. */
export const shopEdits = (
  settings: Arbitrary<SimulationSettings>,
  count: number,
): Arbitrary<readonly ShopEdit[]> =>
  fc
    .tuple(
      shopConfig,
      settings,
      fc.array(fc.tuple(fc.constantFrom(...EDITS), fc.nat(19), fc.nat(19), fc.nat(9)), {
        minLength: 1,
        maxLength: count,
      }),
    )
    .map(([donor, other, choices]) =>
      choices.map(
        ([edit, index, donorIndex, place]) =>
          (form: ShopForm) =>
            edit(form, { donor, settings: other, index, donorIndex, place }),
      ),
    );
