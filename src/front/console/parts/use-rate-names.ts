/** What rates are called: the names of methods and blended rates by service code. */
import type { CallOutcome } from '../../client/call-outcome.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import type { Reads } from '../guarded-calls.ts';
import { NOTHING } from './record-kind.ts';
import { WAITING } from './referred-records.ts';
import { useAnswer } from './use-answer.ts';

type Names = ReadonlyMap<string, string>;

/** Of a record that has another name in the draft, that one. */
async function readNames(
  calls: Reads,
  views: readonly ('live' | 'staged')[],
  signal: AbortSignal,
): Promise<CallOutcome<Names>> {
  const names = new Map<string, string>();
  for (const view of views) {
    const config = await calls.getConfig({ query: { view }, signal });
    if (!config.ok) return config;
    const { methods, blendedRates } = config.value;
    for (const { serviceCode, name } of [...methods, ...blendedRates]) names.set(serviceCode, name);
  }
  return { ...NOTHING, value: names };
}

function useNames(isNeeded: boolean) {
  const { view } = useApp();
  const { calls } = useSignedIn();
  return useAnswer<Names | null>(
    async (signal) =>
      isNeeded ? readNames(calls, view === 'live' ? ['live'] : ['live', 'staged'], signal) : NOTHING,
    [view, isNeeded],
  );
}

const NONE: Names = new Map();

/** Service code -> the name; empty while they are read. */
export const useServiceNames = (): Names => useNames(true).value ?? NONE;

/** The names are read only where `isNeeded`; a code without a record is called `unknown`, by default by itself. */
export function useRateNames(isNeeded: boolean, unknown?: string): (serviceCode: string) => string {
  const { value, failure } = useNames(isNeeded);
  return (code) => value?.get(code) ?? (value === null && failure === null ? WAITING : (unknown ?? code));
}
