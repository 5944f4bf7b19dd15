/** Names of versions in the query of a request, turned into ids: what answers the request knows ids alone. */

import { VersionReference } from '../domain/version-reference.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import type { Admitted } from './admission.ts';

/** The request with the id of each version that its query names; a name of no version stays what it is. */
export function withVersionIds(admitted: Admitted, shop: ShopAccess): Admitted {
  const { route, query } = admitted;
  let named = query;
  for (const name in query) {
    const value = query[name];
    if (value === undefined || route.query[name]?.schema !== VersionReference) continue;
    named = { ...named, [name]: shop.history.idOf(value) };
  }
  return named === query ? admitted : { ...admitted, query: named };
}
