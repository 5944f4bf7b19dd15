/** Changes found and applied at once, without yields. */
import { applyChangeSteps } from '../../src/change/apply.ts';
import { diffConfigSteps } from '../../src/change/compare.ts';
import type { ConfigChange, LastChange, PlacedConfig } from '../../src/domain/shop-event.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';

export const diffConfig = (from: PlacedConfig, to: PlacedConfig): ConfigChange =>
  finishSteps(diffConfigSteps(from, to, NEVER));

export const applied = (config: PlacedConfig, change: ConfigChange): PlacedConfig =>
  finishSteps(applyChangeSteps(config, change, 1, NEVER));

/** The configuration after the change, without the numbers of the versions that changed its records. */
export const applyChange = (config: PlacedConfig, change: ConfigChange): PlacedConfig =>
  withoutLastChanges(applied(config, change));

const unmarked = <T extends LastChange>({ changedIn: _, ...record }: T) => record;

export const withoutLastChanges = (config: PlacedConfig): PlacedConfig => ({
  ...config,
  methods: config.methods.map((method) => ({ ...unmarked(method), rules: method.rules.map(unmarked) })),
});
