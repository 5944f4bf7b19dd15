/** The list of an authority's shops. */
import type { Authority, ShopState } from './authority.ts';

const SHOPS_AT_ONCE = 1_000;

/** States of all shops that are not deleted, sorted by id; read in pages. */
export async function* liveShops(authority: Pick<Authority, 'statesAfter'>): AsyncGenerator<ShopState> {
  for (let after = ''; ; ) {
    const states = await authority.statesAfter(after, SHOPS_AT_ONCE);
    yield* states.filter(({ isDeleted }) => !isDeleted);
    const last = states.at(-1);
    if (last === undefined || states.length < SHOPS_AT_ONCE) return;
    after = last.shopId;
  }
}
