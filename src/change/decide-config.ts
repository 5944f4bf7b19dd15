/** Config execute: the configuration replaced in bulk, validated whole and applied whole (contract section 8). */
import { type Outcome, success } from '../domain/failure.ts';
import type { WorkMeter, WorkSteps } from '../pace/work-steps.ts';
import type { CommandOf, WholeWrite, WriteScope } from './decision.ts';
import { replacementSteps } from './replacement.ts';

export function* executeConfig(
  scope: WriteScope,
  { data }: CommandOf<'executeConfig'>,
  meter: WorkMeter,
): WorkSteps<Outcome<WholeWrite>> {
  const replacement = yield* replacementSteps(scope, data, meter);
  if (!replacement.ok) return replacement;
  return success({
    config: replacement.value.config,
    description: 'Configuration imported',
    createdBy: 'import',
    result: (version, summary) => ({ kind: 'executed', version, summary }),
  });
}
