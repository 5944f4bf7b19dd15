/**
 * Events turned into state: the one way in which a shop's state ever changes, so that a state reached live
 * and one replayed from the log cannot differ. Records and lists that a change does not name are shared
 * with the state before by identity; compiled parts hang on that.
 */
import type {
  ConfigChange,
  ListChange,
  MethodInChange,
  PlacedBlendedRate,
  PlacedConfig,
  PlacedGroup,
  PlacedMethod,
  PlacedRule,
  PlacedZone,
  ShopEvent,
  ShopState,
} from '../domain/shop-event.ts';
import type { Identified } from './align.ts';
import { carryRuleHomes } from './rule-home.ts';

/**
 * The list after the change, in the order that `ListChange` describes. `adopt` may complete a record of the
 * change from the one that it takes the place of. Sets and maps shrink as records are found, so that a
 * small change stops looking at ids once it has found its own.
 */
function applyList<C extends Identified, T extends C>(
  list: readonly T[],
  change: ListChange<C> | undefined,
  adopt: (record: C, old: T | undefined) => T,
): readonly T[] {
  if (change === undefined) return list;
  const { removed, replaced = [], placed = [] } = change;
  const dropped = new Set(removed);
  for (const { record } of placed) dropped.add(record.id);
  const replacements = new Map(replaced.map((record) => [record.id, record]));
  const droppedRecords = new Map<string, T>();
  const kept: T[] = [];
  for (const record of list) {
    if (dropped.size > 0 && dropped.delete(record.id)) {
      droppedRecords.set(record.id, record);
      continue;
    }
    const replacement = replacements.size > 0 ? replacements.get(record.id) : undefined;
    if (replacement !== undefined) replacements.delete(record.id);
    kept.push(replacement === undefined ? record : adopt(replacement, record));
  }
  if (placed.length === 0) return kept;
  const result: T[] = [];
  let next = 0;
  for (const { index, record } of placed) {
    while (result.length < index && next < kept.length) result.push(kept[next++] as T);
    result.push(adopt(record, droppedRecords.get(record.id)));
  }
  while (next < kept.length) result.push(kept[next++] as T);
  return result;
}

const asItIs = <T>(record: T): T => record;

/** A method comes without its rules: an existing one keeps its own. */
const withRulesOf = (method: MethodInChange, old: PlacedMethod | undefined): PlacedMethod => ({
  ...method,
  rules: old?.rules ?? [],
});

function applyMethods(methods: readonly PlacedMethod[], change: ConfigChange): readonly PlacedMethod[] {
  const listed = applyList(methods, change.methods, withRulesOf);
  const changes = new Map(Object.entries(change.rules ?? {}));
  const result =
    changes.size === 0
      ? listed
      : listed.map((method) => {
          const ruleChange = changes.size > 0 ? changes.get(method.id) : undefined;
          if (ruleChange === undefined) return method;
          changes.delete(method.id);
          return { ...method, rules: applyList(method.rules, ruleChange, asItIs<PlacedRule>) };
        });
  carryRuleHomes(methods, result, change);
  return result;
}

/** The configuration after the change; `change` must come from `diffConfig` of `config`. Linear. */
export const applyChange = (config: PlacedConfig, change: ConfigChange): PlacedConfig => ({
  zones: applyList(config.zones, change.zones, asItIs<PlacedZone>),
  productGroups: applyList(config.productGroups, change.productGroups, asItIs<PlacedGroup>),
  methods: applyMethods(config.methods, change),
  blendedRates: applyList(config.blendedRates, change.blendedRates, asItIs<PlacedBlendedRate>),
});

/**
 * The state after an event; `state` is null only before `shopCreated`, the first event of every shop.
 * Throws when that order is broken, which a log that reads back undamaged rules out.
 */
export function applyEvent(state: ShopState | null, event: ShopEvent): ShopState {
  if (event.kind === 'shopCreated') {
    if (state !== null) throw new Error(`shop ${state.settings.id} is created a second time`);
    const { settings, config, version } = event;
    return { settings, keys: [], config, version, staging: null };
  }
  if (state === null) throw new Error(`a shop's first event is ${event.kind}, not shopCreated`);
  switch (event.kind) {
    case 'configChanged':
      return { ...state, config: applyChange(state.config, event.change), version: event.version };
    case 'settingsChanged':
      return { ...state, settings: event.settings };
    case 'keyCreated':
      return { ...state, keys: [...state.keys, event.key] };
    case 'keyRevoked':
      return { ...state, keys: state.keys.filter(({ id }) => id !== event.keyId) };
    case 'stagingEntered':
      return { ...state, staging: { ...event.staging, config: state.config, writes: [] } };
    case 'stagedWritten': {
      const { staging } = state;
      if (staging === null) throw new Error(`a staged write of ${state.settings.id} without a changeset`);
      const config = applyChange(staging.config, event.write.change);
      return { ...state, staging: { ...staging, config, writes: [...staging.writes, event.write] } };
    }
    case 'stagingEnded':
      return { ...state, staging: null };
    case 'shopifySecretSet': {
      const { shopifySecret: _earlier, ...rest } = state;
      return event.sealed === null ? rest : { ...rest, shopifySecret: event.sealed };
    }
  }
}
