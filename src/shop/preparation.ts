/** Compiles beside other work what a simulation needs, where that takes long. */

import type { SimulateRequest } from '../domain/cart.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { WorkSlices } from '../pace/work-slices.ts';
import type { WorkSteps } from '../pace/work-steps.ts';
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

/** A simulation that is asked for. */
export interface Asked {
  readonly source: SimulationSource;
  readonly request: SimulateRequest;
  /** True when another thread will answer it: asked once its estimate finds what it needs. */
  readonly isElsewhere: () => boolean;
}

/** For those who answer every simulation themselves. */
export const NEVER_ELSEWHERE = (): boolean => false;

/** Compiles what the simulation needs; null when that is done at once, in the first slice at the latest. */
export function prepareSimulation(
  shop: PreparedShop,
  slices: WorkSlices,
  asked: Asked,
): Promise<void> | null {
  const steps = preparationOf(shop, slices, asked);
  const started = steps === null ? null : begin(shop, slices, steps);
  return started instanceof Promise ? prepareInSlices(shop, slices, asked, started) : null;
}

/** Of many carts that ask at once only the first begins at once; the others wait for what it makes. */
const begin = (shop: PreparedShop, slices: WorkSlices, steps: WorkSteps<unknown>): unknown =>
  slices.isBusy(shop) ? slices.run(shop, steps) : slices.start(shop, steps);

const preparationOf = (
  { compiled, state }: PreparedShop,
  { shouldYield }: WorkSlices,
  { source, request, isElsewhere }: Asked,
): WorkSteps<unknown> | null =>
  compiled.preparation(source, state, request.destination, { isElsewhere, shouldYield });

/** True for a simulation of an earlier version that is not in memory. */
export const isToBeRead = (
  history: Pick<LiveShopHistory, 'replayedFor'>,
  source: SimulationSource,
): source is { readonly versionId: string } =>
  typeof source !== 'string' && history.replayedFor(source.versionId) !== null;

/** Reads an earlier version that is not in memory, and prepares the simulation; null as above. */
export function prepareEarlier(
  shop: PreparedShop & { readonly history: Pick<LiveShopHistory, 'replayedFor'> },
  read: (versionId: string) => Promise<unknown>,
  slices: WorkSlices,
  asked: Asked & { readonly source: { readonly versionId: string } },
): Promise<void> | null {
  const { source, request, isElsewhere } = asked;
  const steps = shop.compiled.estimation(source, shop.state, request.destination, slices.shouldYield);
  const estimated = steps === null ? null : begin(shop, slices, steps);
  if (!(estimated instanceof Promise) && isElsewhere()) return null;
  return readAndPrepare();

  async function readAndPrepare(): Promise<void> {
    await estimated;
    if (isElsewhere()) return;
    await read(source.versionId);
    // A version too large to be kept is read again for the answer: compiling it here would be for nothing.
    if (shop.history.replayedFor(source.versionId) !== null) return;
    await prepareSimulation(shop, slices, asked);
  }
}

/** A write may come in between; after a few of them the answer itself compiles the rest. */
async function prepareInSlices(
  shop: PreparedShop,
  slices: WorkSlices,
  asked: Asked,
  first: Promise<unknown>,
): Promise<void> {
  await first;
  for (let round = 1; round < PREPARATIONS_MAX; round++) {
    const steps = preparationOf(shop, slices, asked);
    if (steps === null) return;
    await slices.run(shop, steps);
  }
}
