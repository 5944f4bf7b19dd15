/**
 * A shop as a replica has it: the published state and what is compiled of it. It answers live simulations;
 * whatever else is asked of a shop is forwarded to the owner before it gets here.
 */

import type { AnswerText } from '../bytes/answer-text.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import type { Outcome } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { estimateMicroseconds } from '../evaluate/estimate.ts';
import type { Replayed } from '../log/replay.ts';
import type { WorkSlices } from '../pace/work-slices.ts';
import { InvariantError } from '../runtime/invariant.ts';
import { CompiledConfigs } from '../shop/compiled-configs.ts';
import { type SimulationPorts, simulateLive } from '../shop/live-simulation.ts';
import { NEVER_ELSEWHERE, prepareSimulation } from '../shop/preparation.ts';
import type { ShopAccess, ShopHistory, SimulationSource } from '../shop/shop-access.ts';
import type { ShopWatch, SimulationWatch, WatchedText } from '../shop/simulation-watch.ts';
import { type Work, workMicroseconds } from '../shop/work-cost.ts';
import type { AnswerFields } from '../wire/answer.ts';

export interface CopyPorts extends SimulationPorts {
  readonly watch: SimulationWatch;
  readonly slices: WorkSlices;
}

export class ShopCopy implements ShopAccess {
  readonly shopId: string;
  readonly #ports: CopyPorts;
  readonly #watch: ShopWatch;
  readonly compiled = new CompiledConfigs(() => null);
  #state: ShopState;
  #sequenceNumber: number;

  constructor(ports: CopyPorts, { state, sequenceNumber }: Replayed<ShopState>) {
    this.#ports = ports;
    this.#state = state;
    this.#sequenceNumber = sequenceNumber;
    this.shopId = state.settings.id;
    this.#watch = ports.watch.open(state, sequenceNumber);
  }

  get state(): ShopState {
    return this.#state;
  }

  get sequenceNumber(): number {
    return this.#sequenceNumber;
  }

  /** From now on simulations are answered from `state`. */
  publish(state: ShopState, sequenceNumber: number): void {
    this.#state = state;
    this.#sequenceNumber = sequenceNumber;
    this.#watch.published(state, sequenceNumber);
  }

  close(): void {
    this.#watch.closed();
  }

  simulate(
    request: SimulateRequest,
    nowMs: number,
    text: string | null = null,
    fields: AnswerFields = 'all',
  ): Outcome<AnswerText> {
    this.#ports.metrics.values.replica_simulations++;
    const answer = simulateLive(this.#ports, this.compiled.live(this.#state), request, nowMs, fields);
    if (answer.ok) this.#watch.simulated(text ?? request, nowMs);
    return answer;
  }

  prepare(
    source: SimulationSource,
    request: SimulateRequest,
    isElsewhere: () => boolean = NEVER_ELSEWHERE,
  ): Promise<void> | null {
    return prepareSimulation(this, this.#ports.slices, { source, request, isElsewhere });
  }

  simulationCost(_source: SimulationSource, request: SimulateRequest, closerLookUs: number): number {
    return estimateMicroseconds(this.compiled.live(this.#state), request, closerLookUs);
  }

  costOf(work: Work): number {
    return workMicroseconds({ config: this.#state.config, replayedFor: () => null }, work);
  }

  simulatedElsewhere(watched: WatchedText | null, nowMs: number, isStripped: boolean): void {
    this.#ports.metrics.values.simulations++;
    this.#ports.metrics.values.replica_simulations++;
    if (watched !== null) this.#watch.simulated(watched, nowMs, isStripped);
  }

  lint(): never {
    throw notHere();
  }

  write(): never {
    throw notHere();
  }

  preview(): never {
    throw notHere();
  }

  refuseConfig(): never {
    throw notHere();
  }

  simulateFrom(): never {
    throw notHere();
  }

  explain(): never {
    throw notHere();
  }

  staging(): never {
    throw notHere();
  }

  get history(): ShopHistory {
    throw notHere();
  }
}

const notHere = (): InvariantError => new InvariantError('a copy answers live simulations only');
