/** The table of plans: a data file that the operator may change (contract section 2). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlanTable } from '../domain/plan.ts';
import { compileSchema } from '../domain/schema-check.ts';
import { packageFolder, type Settings } from '../settings.ts';
import { usageError } from './exit-code.ts';

/** Throws `CommandError` (usage) when the file is missing or is not such a table. */
export function readPlans({ plansPath }: Pick<Settings, 'plansPath'>): PlanTable {
  const path = plansPath ?? join(packageFolder(), 'data', 'plans.json');
  let table: unknown;
  try {
    table = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw usageError(`plan file ${path} cannot be read: ${(error as Error).message}`);
  }
  const check = compileSchema(PlanTable);
  if (!check.check(table)) {
    throw usageError(`plan file ${path} is not a table of plans: ${check.failure(table).message}`);
  }
  return table;
}
