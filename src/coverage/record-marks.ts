/**
 * Marks of records: a short hash of the fields that decide what a record matches. Changes of other fields keep the
 * mark. Computed once for each record object.
 */
import { hash } from 'node:crypto';
import type { ProductGroup } from '../domain/product-group.ts';
import { tiersOfRate } from '../domain/rate-type.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { Subzone, Zone } from '../domain/zone.ts';

const MARK_LENGTH = 10;

export class RecordMarks {
  readonly #marks = new WeakMap<object, string>();
  readonly #tierMarks = new WeakMap<object, string>();

  /** For the part of a zone outside its subzones: its countries, and the postal codes of the subzones. */
  ofZone(zone: Zone): string {
    return this.#of(zone, () => [zone.countries, zone.subzones.map(({ postalCodes }) => postalCodes)]);
  }

  ofSubzone(zone: Zone, subzone: Subzone): string {
    return this.#of(subzone, () => [zone.countries, subzone.postalCodes]);
  }

  ofGroup(group: ProductGroup): string {
    const { isDefault, variantIds, productIds, skus, tags, vendors } = group;
    return this.#of(group, () => [isDefault, variantIds, productIds, skus, tags, vendors]);
  }

  ofMethod(method: Pick<ShippingMethod, 'zoneId' | 'productGroupId'>): string {
    return this.#of(method, () => [method.zoneId, method.productGroupId]);
  }

  ofRule(rule: Rule): string {
    return this.#of(rule, () => rule.conditions);
  }

  /** For the bounds of a rate table. */
  ofTiers(method: ShippingMethod): string {
    const bounds = () => [method.rateType, tiersOfRate(method)?.map(({ from, to }) => [from, to])];
    return this.#of(method, bounds, this.#tierMarks);
  }

  #of(record: object, matched: () => unknown, marks = this.#marks): string {
    let mark = marks.get(record);
    if (mark === undefined) {
      mark = hash('sha1', JSON.stringify(matched()), 'base64url').slice(0, MARK_LENGTH);
      marks.set(record, mark);
    }
    return mark;
  }
}
