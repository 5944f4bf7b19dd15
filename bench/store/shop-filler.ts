/** Data folders with many shops: what an operator's disk holds after a while. */
import { decide } from '../../src/engine/change/decide.ts';
import type { PlanTable } from '../../src/engine/domain/plan.ts';
import type { ShopEvent } from '../../src/engine/domain/shop-event.ts';
import { readPlans } from '../../src/front/command-line/plan-file.ts';
import { readSettings } from '../../src/front/settings.ts';
import { openLocalShops } from './local-shops.ts';

/** Appends under way at a time. */
const AT_ONCE = 1_000;

const shopIdOf = (at: number): string => `shop_filler_${at}`;

function creationOf(at: number, plans: PlanTable): readonly ShopEvent[] {
  const decision = decide(
    null,
    {
      kind: 'createShop',
      settings: { id: shopIdOf(at), name: `Filler ${at}`, currency: 'USD', timezone: 'UTC', plan: 'starter' },
    },
    {
      now: '2026-01-01T00:00:00.000Z',
      seed: String(at).padStart(26, '0'),
      keyId: null,
      batchId: null,
      plans,
      findVersion: () => null,
    },
  );
  if (!decision.ok) throw new Error(decision.message);
  return decision.value.events;
}

/** Adds `count` shops to a data folder that no process serves. */
export async function fillWithShops(dataFolder: string, count: number): Promise<void> {
  const { log, close } = openLocalShops(dataFolder);
  const plans = readPlans(readSettings({}));
  try {
    for (let made = 0; made < count; made += AT_ONCE) {
      const appends = Array.from({ length: Math.min(AT_ONCE, count - made) }, async (_, i) => {
        const records = creationOf(made + i, plans).map((event) => ({ atMs: Date.UTC(2026, 0, 1), event }));
        const { kind } = await log.append(shopIdOf(made + i), 0, records);
        if (kind !== 'appended') throw new Error(`append: ${kind}`);
      });
      await Promise.all(appends);
    }
  } finally {
    await close();
  }
}
