/** Changes found and applied at once, without yields. */
import { applyChangeSteps } from '../../src/change/apply.ts';
import { diffConfigSteps } from '../../src/change/diff.ts';
import type { ConfigChange, PlacedConfig } from '../../src/domain/shop-event.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';

export const diffConfig = (from: PlacedConfig, to: PlacedConfig): ConfigChange =>
  finishSteps(diffConfigSteps(from, to, NEVER));

export const applyChange = (config: PlacedConfig, change: ConfigChange): PlacedConfig =>
  finishSteps(applyChangeSteps(config, change, NEVER));
