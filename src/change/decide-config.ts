/** Config execute: the configuration replaced in bulk, validated whole and applied whole (contract section 8). */
import { type Outcome, success } from '../domain/failure.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { CommandOf, WholeWrite, WriteScope } from './decision.ts';
import { replacementSteps } from './replacement.ts';

export function* executeConfig(
  scope: WriteScope,
  { data }: CommandOf<'executeConfig'>,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<WholeWrite>> {
  const replacement = yield* replacementSteps(scope, data, shouldYield);
  if (!replacement.ok) return replacement;
  return success({
    config: replacement.value.config,
    description: 'Configuration imported',
    createdBy: 'import',
    result: (version, summary) => ({ kind: 'executed', version, summary }),
  });
}
