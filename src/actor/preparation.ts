/** Compiles beside other work what a simulation needs, where that takes long. */

import type { SimulateRequest } from '../domain/cart.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { WorkSlices } from '../runtime/work-slices.ts';
import type { WorkSteps } from '../runtime/work-steps.ts';
import type { CompiledConfigs } from './compiled-configs.ts';
import type { SimulationSource } from './shop-access.ts';
import type { LiveShopHistory } from './shop-history.ts';

/** How often in a row a simulation waits for its zone to be compiled, when writes change it meanwhile. */
const PREPARATIONS_MAX = 4;

/** A shop and what is compiled of it. */
export interface PreparedShop {
  readonly state: ShopState;
  readonly compiled: CompiledConfigs;
}

/** Null when nothing takes long; else what compiles it, and resolves when the simulation is worth asking for. */
export function prepareSimulation(
  shop: PreparedShop,
  slices: WorkSlices,
  source: SimulationSource,
  request: SimulateRequest,
): (() => Promise<void>) | null {
  const steps = shop.compiled.preparation(source, shop.state, request.destination);
  return steps === null ? null : () => prepareInSlices(shop, slices, source, request, steps);
}

/** Of an earlier version: null when it is in memory, else what reads it, and then prepares the simulation. */
export function prepareEarlier(
  shop: PreparedShop & { readonly history: Pick<LiveShopHistory, 'replayedFor'> },
  read: (versionId: string) => Promise<unknown>,
  slices: WorkSlices,
  source: SimulationSource,
  request: SimulateRequest,
): (() => Promise<void>) | null {
  if (typeof source === 'string' || shop.history.replayedFor(source.versionId) === null) return null;
  return async () => {
    await read(source.versionId);
    // One that is too large to be kept is read once more by whoever answers: to compile it here would be for nothing.
    if (shop.history.replayedFor(source.versionId) !== null) return;
    await prepareSimulation(shop, slices, source, request)?.();
  };
}

/** A write may come in between; after a few of them the rest is compiled by whoever answers. */
async function prepareInSlices(
  shop: PreparedShop,
  slices: WorkSlices,
  source: SimulationSource,
  { destination }: SimulateRequest,
  first: WorkSteps<unknown>,
): Promise<void> {
  let steps: WorkSteps<unknown> | null = first;
  for (let round = 0; steps !== null && round < PREPARATIONS_MAX; round++) {
    await slices.run(shop, steps);
    steps = shop.compiled.preparation(source, shop.state, destination);
  }
}
