/** The state of a shop as writes make it, decided in this process: checks are those of the service, limits none. */

import type { DecisionContext } from '../../src/engine/change/command.ts';
import { decide } from '../../src/engine/change/decide.ts';
import type { Outcome } from '../../src/engine/domain/failure.ts';
import type { ShopState } from '../../src/engine/domain/shop-event.ts';
import type { ConfigData } from '../../src/engine/wire/write-bodies.ts';
import { UNLIMITED } from '../../test/support/unlimited-plan.ts';
import type { Profile } from './profile.ts';

const SEED_LENGTH = 22;
const PLAN = 'bench';

let seeds = 0;
export const nextContext = (): DecisionContext => ({
  now: '2026-01-01T00:00:00.000Z',
  seed: String(++seeds).padStart(SEED_LENGTH, '0'),
  keyId: null,
  batchId: null,
  plans: { [PLAN]: UNLIMITED },
  findVersion: () => null,
});

/** A new shop with this configuration, or the refusal that the service would answer. */
export function decideShop(settings: Profile['settings'], data: ConfigData): Outcome<ShopState> {
  const created = decide(
    null,
    { kind: 'createShop', settings: { id: 'shop_bench', name: 'Bench', plan: PLAN, ...settings } },
    nextContext(),
  );
  if (!created.ok) return created;
  const configured = decide(created.value.state, { kind: 'executeConfig', data }, nextContext());
  return configured.ok ? { ok: true, value: configured.value.state } : configured;
}
