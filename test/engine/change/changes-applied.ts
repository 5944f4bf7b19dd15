/** Changes found and applied, and configurations without what only histories differ in. */
import { applyChange } from '../../../src/engine/change/apply.ts';
import { diffConfigs } from '../../../src/engine/change/diff.ts';
import type { ConfigChange, LastChange, PlacedConfig } from '../../../src/engine/domain/shop-event.ts';

export const changeBetween = (from: PlacedConfig, to: PlacedConfig): ConfigChange =>
  diffConfigs(from, to).change;

export const applied = (config: PlacedConfig, change: ConfigChange): PlacedConfig =>
  applyChange(config, change, 1);

/** The configuration after the change, without the numbers of the versions that changed its records. */
export const appliedUnmarked = (config: PlacedConfig, change: ConfigChange): PlacedConfig =>
  withoutLastChanges(applied(config, change));

const unmarked = <T extends LastChange>({ changedIn: _, ...record }: T) => record;

export const withoutLastChanges = (config: PlacedConfig): PlacedConfig => ({
  ...config,
  methods: config.methods.map((method) => ({ ...unmarked(method), rules: method.rules.map(unmarked) })),
});
