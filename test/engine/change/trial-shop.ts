/** A shop in a test: commands go in one after the other, and every state is frozen so that none can change. */
import assert from 'node:assert/strict';
import { applyEvent } from '../../../src/engine/change/apply.ts';
import type {
  Command,
  CommandResult,
  Decision,
  DecisionContext,
  EarlierVersion,
} from '../../../src/engine/change/command.ts';
import { decide } from '../../../src/engine/change/decide.ts';
import { type Failure, type FailureCode, type Outcome, success } from '../../../src/engine/domain/failure.ts';
import type { PlanTable } from '../../../src/engine/domain/plan.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { ShopEvent, ShopState } from '../../../src/engine/domain/shop-event.ts';
import { snapshotOf } from '../../../src/engine/wire/record-view.ts';
import type {
  BlendedCreate,
  CheckCreate,
  ConfigData,
  GroupCreate,
  MethodCreate,
  RuleCreate,
} from '../../../src/engine/wire/write-bodies.ts';
import { type ConfigPreview, previewConfig } from '../../../src/shop/reader/preview.ts';
import { readText } from '../../house/project-files.ts';

export const PLANS: PlanTable = JSON.parse(readText('data/plans.json'));

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const field of Object.values(value)) deepFreeze(field);
  }
  return value;
}

/** The least that a check needs. */
export const CHECK: Pick<CheckCreate, 'name' | 'request' | 'expectations'> = {
  name: 'One mug',
  request: { destination: { country: 'US' }, items: [{ quantity: 1, grams: 500, price: 2_000 }] },
  expectations: [{ kind: 'some_rate' }],
};

type ResultOf<K extends CommandResult['kind']> = Extract<CommandResult, { readonly kind: K }>;

type Kind = 'productGroups' | 'zones' | 'methods' | 'blendedRates' | 'checks';
type DataOf<K extends Kind> = NonNullable<ConfigData[K]>[number];
type With<T, K extends keyof T> = T & { [F in K]-?: NonNullable<T[F]> };

/** `ConfigData` with what a snapshot always has. */
export interface Snapshot {
  versionId: string;
  productGroups: With<DataOf<'productGroups'>, 'id'>[];
  zones: With<DataOf<'zones'>, 'id' | 'subzones'>[];
  methods: With<DataOf<'methods'>, 'id' | 'rules' | 'config'>[];
  blendedRates: With<DataOf<'blendedRates'>, 'id' | 'preferences'>[];
  checks: With<DataOf<'checks'>, 'id'>[];
}

export class TrialShop {
  state: ShopState;
  readonly events: ShopEvent[] = [];
  readonly plans: PlanTable;
  /** Overrides of the next contexts. */
  context: Partial<DecisionContext> = {};
  /** Every version so far by its id. */
  readonly versions = new Map<string, EarlierVersion>();
  #writes = 0;

  constructor(plan = 'enterprise', plans = PLANS) {
    this.plans = plans;
    const settings = { name: 'Test shop', currency: 'USD', timezone: 'UTC', plan, promotionGate: null };
    const outcome = decide(null, { kind: 'createShop', settings }, this.#nextContext());
    assert.ok(outcome.ok, 'the shop is created');
    this.state = deepFreeze(outcome.value.state);
    this.keep(outcome.value);
  }

  get config(): ShopState['config'] {
    return this.state.config;
  }

  #nextContext(): DecisionContext {
    const count = ++this.#writes;
    return {
      now: new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString(),
      seed: `t${String(count).padStart(6, '0')}`,
      keyId: 'key_test',
      batchId: null,
      plans: this.plans,
      findVersion: (id) => this.versions.get(id) ?? null,
      ...this.context,
    };
  }

  /** Decides without keeping the result. */
  try(command: Command): Outcome<Decision> {
    return this.tryOn(this.state, command);
  }

  /** Decides on another state than the present one. */
  tryOn(state: ShopState, command: Command): Outcome<Decision> {
    return decide(state, deepFreeze(command), this.#nextContext());
  }

  accept(command: Command): Decision {
    const outcome = this.try(command);
    assert.ok(outcome.ok, `${command.kind} is refused: ${outcome.ok ? '' : outcome.message}`);
    return this.keep(outcome.value);
  }

  keep(decision: Decision): Decision {
    let state: ShopState | null = this.events.length === 0 ? null : this.state;
    for (const event of decision.events) {
      state = applyEvent(state, event);
      this.versions.set(state.version.id, { number: state.version.number, config: state.config });
    }
    this.state = deepFreeze(decision.state);
    this.events.push(...decision.events);
    return decision;
  }

  /** The refusal of a command; `code` and every one of `words` must be in it. */
  refuse(command: Command, code: FailureCode, ...words: string[]): Failure {
    const outcome = this.try(command);
    assert.ok(!outcome.ok, `${command.kind} is accepted`);
    assert.equal(outcome.code, code, outcome.message);
    for (const word of words)
      assert.ok(outcome.message.includes(word), `"${outcome.message}" has no "${word}"`);
    return outcome;
  }

  resultOf<K extends CommandResult['kind']>(kind: K, command: Command): ResultOf<K> {
    const { result } = this.accept(command);
    assert.equal(result.kind, kind);
    return result as ResultOf<K>;
  }

  createGroup(body: GroupCreate) {
    return this.resultOf('group', { kind: 'createGroup', body }).group;
  }

  createMethod(body: Partial<MethodCreate> = {}) {
    const filled = { name: 'Standard', zoneId: 'zone_us', rateType: 'free' as const, ...body };
    return this.resultOf('method', { kind: 'createMethod', body: filled }).method;
  }

  createRule(methodId: string, body: Partial<RuleCreate> = {}) {
    return this.resultOf('rule', { kind: 'createRule', methodId, body: { action: 'hide', ...body } }).rule;
  }

  createBlended(body: Partial<BlendedCreate> = {}) {
    const filled = { name: 'Mixed cart', zoneId: 'zone_us', ...body };
    return this.resultOf('blendedRate', { kind: 'createBlended', body: filled }).blendedRate;
  }

  createCheck(body: Partial<CheckCreate> = {}) {
    return this.resultOf('check', { kind: 'createCheck', body: { ...CHECK, ...body } }).check;
  }

  /** Not while a changeset is active: there is a version to answer with. */
  execute(data: ConfigData) {
    const { version, summary } = this.resultOf('executed', { kind: 'executeConfig', data });
    assert.ok(version !== null);
    return { version, summary };
  }

  preview(data: ConfigData): Outcome<ConfigPreview> {
    return this.previewOn(this.state, data);
  }

  previewOn(state: ShopState, data: ConfigData): Outcome<ConfigPreview> {
    const outcome = previewConfig(state, deepFreeze(data), this.#nextContext());
    return outcome.ok ? success(outcome.value.preview) : outcome;
  }

  get defaultGroupId(): string {
    return this.config.productGroups.find(({ isDefault }) => isDefault)?.id ?? '';
  }

  /** What GET /api/config answers, as a client would send it back. */
  snapshot(): Snapshot {
    const config = this.config as unknown as ShopConfig;
    const text = JSON.stringify(snapshotOf(config, this.state.version.id));
    return JSON.parse(text) as Snapshot;
  }
}

/** A shop with zones: two countries with two subzones each, and the rest of the world. */
export function shopWithZones(plan?: string, plans?: PlanTable): TrialShop {
  const shop = new TrialShop(plan, plans);
  shop.execute({
    zones: [
      {
        id: 'zone_us',
        name: 'United States',
        countries: ['US'],
        subzones: [
          { id: 'sub_ak', name: 'Alaska', postalCodes: '995*, 99811' },
          { id: 'sub_hi', name: 'Hawaii', postalCodes: '96700-96899' },
        ],
      },
      {
        id: 'zone_gb',
        name: 'United Kingdom',
        countries: ['GB'],
        subzones: [{ id: 'sub_islands', name: 'Islands', postalCodes: 'IM*,JE*' }],
      },
      { id: 'zone_row', name: 'Rest of world', countries: ['*'] },
    ],
  });
  return shop;
}

/** A shop with a method of two rules, a second group with a method, and a blended rate that prefers both. */
export function fullShop(): TrialShop {
  const shop = shopWithZones();
  shop.execute({
    productGroups: [
      { id: 'group_all', name: 'All', isDefault: true },
      { id: 'group_heavy', name: 'Heavy', skus: ['HVY-*'] },
    ],
    methods: [
      {
        id: 'method_std',
        name: 'Standard',
        zoneId: 'zone_us',
        rateType: 'flat',
        config: { price: 500 },
        rules: [
          { id: 'rule_a', action: 'hide' },
          { id: 'rule_b', action: 'adjust_add', adjustmentValue: 100 },
        ],
      },
      {
        id: 'method_freight',
        name: 'Freight',
        zoneId: 'sub_ak',
        productGroupId: 'group_heavy',
        rateType: 'free',
      },
    ],
    blendedRates: [
      {
        id: 'blended_mixed',
        name: 'Mixed',
        zoneId: 'zone_us',
        preferences: [
          { productGroupId: 'group_all', preferredMethodId: 'method_std' },
          { productGroupId: 'group_heavy', preferredMethodId: 'method_freight' },
        ],
      },
    ],
  });
  return shop;
}
