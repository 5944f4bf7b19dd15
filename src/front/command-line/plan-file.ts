/** The table of plans: a data file that the operator may change (contract section 2). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../base/runtime/package-files.ts';
import { PlanFile, type PlanTable } from '../../engine/domain/plan.ts';
import { compileSchema } from '../../engine/wire/schema-check.ts';
import type { Settings } from '../settings.ts';
import { usageError } from './exit-code.ts';

/** Throws `CommandError` (usage) when the file is missing or is not such a table. */
export function readPlans({ plansPath }: Pick<Settings, 'plansPath'>): PlanTable {
  const path = plansPath ?? join(packageFolder(), 'data', 'plans.json');
  const refused = (what: string) => usageError(`RATEWRIGHT_PLANS: plan file ${path} ${what}`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw refused(`cannot be read: ${(error as Error).message}`);
  }
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    // The message of the engine would quote the content of a file that was named by mistake.
    throw refused('is not JSON');
  }
  const check = compileSchema(PlanFile);
  if (!check.check(table)) throw refused(`is not a table of plans: ${check.failure(table).message}`);
  return table;
}
