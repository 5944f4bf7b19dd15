/** The operators' side of the shops in memory: it keeps the promises of `OperatorAccess` in the simplest way. */
import { conflict, notFound, type Outcome, success } from '../../src/engine/domain/failure.ts';
import type { ShopState } from '../../src/engine/domain/shop-event.ts';
import type { NewShopRequest, OperatorAccess } from '../../src/front/http/dependencies.ts';
import type { StreamedBody } from '../../src/front/http/output.ts';
import type { LogReport } from '../../src/store/log/verification.ts';
import type { FakeShops } from './fake-shops.ts';

export class FakeOperators implements OperatorAccess {
  /** Shops whose deletion was asked for; they stay. */
  readonly deleted = new Set<string>();
  /** Shops whose state cannot be read, and why. */
  readonly unreadable = new Map<string, Error>();
  /** What a backup sends. */
  copy: Uint8Array = new Uint8Array(3_000_000).map((_, at) => at % 251);
  /** The offset at which the copy cannot be read. */
  failsAt = Number.POSITIVE_INFINITY;
  /** Copies that were opened and are not closed. */
  openCopies = 0;
  readonly #shops: FakeShops;
  readonly #answers = new Map<string, { readonly digest: string; readonly body: string }>();
  #made = 0;

  constructor(shops: FakeShops) {
    this.#shops = shops;
  }

  async shopIdsAfter(shopId: string, most: number): Promise<readonly string[]> {
    const ids = [...this.#shops.shops.keys()].sort();
    return ids.filter((id) => id > shopId).slice(0, most);
  }

  async stateOf(shopId: string): Promise<ShopState | null> {
    const error = this.unreadable.get(shopId);
    if (error !== undefined) throw error;
    return this.#shops.shops.get(shopId)?.state ?? null;
  }

  async createShop({ settings, key, idempotency, render }: NewShopRequest): Promise<Outcome<string>> {
    const earlier = idempotency === null ? undefined : this.#answers.get(idempotency.key);
    if (idempotency !== null && earlier !== undefined) {
      const body = idempotency.open?.(earlier.body) ?? null;
      const isSame = earlier.digest === idempotency.requestDigest && body !== null;
      return isSame ? success(body) : conflict('key was used');
    }
    const id = settings.id ?? `shop_made_${++this.#made}`;
    if (this.#shops.shops.has(id)) return conflict(`there is a shop ${id} already, or was one`);
    const shop = this.#shops.addShop(id);
    const keys = key === null ? [] : [{ ...key, id: 'key_made', createdAt: '2026-11-18T17:00:00.000Z' }];
    const made = keys.map(({ expiresAt, ...fields }) => ({ ...fields, ...(expiresAt ? { expiresAt } : {}) }));
    const { name, currency, timezone, plan } = settings;
    shop.state = { ...shop.state, settings: { id, name, currency, timezone, plan }, keys: made };
    const body = render(shop.state, made[0] ?? null);
    if (idempotency !== null) {
      const stored = idempotency.seal?.(body) ?? body;
      this.#answers.set(idempotency.key, { digest: idempotency.requestDigest, body: stored });
    }
    return success(body);
  }

  async deleteShop(shopId: string): Promise<Outcome<null>> {
    if (!this.#shops.shops.has(shopId)) return notFound('shop', shopId);
    this.deleted.add(shopId);
    return success(null);
  }

  async status() {
    return {
      ...{ version: '0.0.0', phase: 'ready' as const, uptimeSeconds: 1 },
      ...{ dataFolder: '/nowhere', fileBytes: 0, freeBytes: 0, shops: this.#shops.shops.size },
      ...{ plans: ['starter'], isDatabaseReached: null, cluster: null },
    };
  }

  async verify(): Promise<Outcome<LogReport>> {
    return success({ shops: 1, records: 2, checkpoints: 0, indexEntries: 3, defects: [] });
  }

  async backup(): Promise<Outcome<StreamedBody>> {
    const { copy } = this;
    this.openCopies++;
    return success({
      byteLength: copy.length,
      read: async (offset, length) => {
        if (offset + length > this.failsAt) throw new Error('the copy cannot be read');
        return copy.subarray(offset, offset + length);
      },
      close: () => void this.openCopies--,
    });
  }

  storedAnswers(): readonly string[] {
    return [...this.#answers.values()].map(({ body }) => body);
  }
}
