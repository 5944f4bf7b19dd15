/** Reads a V8 CPU profile: which function the processor was in, and which part of the program that belongs to. */
import type { Profiler } from 'node:inspector';

export interface FunctionTime {
  readonly functionName: string;
  /** File URL or path of the code; "" for native code. */
  readonly url: string;
  /** From 0, as V8 counts. */
  readonly lineNumber: number;
  readonly columnNumber: number;
  /** Microseconds in the function itself, without what it called. */
  readonly selfUs: number;
}

const NATIVE = '(program)';
const COLLECTOR = '(garbage collector)';
const NOT_BUSY = new Set(['(idle)', '(root)']);

/** Functions by their own time, longest first; idle time is left out. */
export function selfTimesOf({
  nodes,
  samples = [],
  timeDeltas = [],
}: Profiler.Profile): readonly FunctionTime[] {
  const usByNode = new Map<number, number>();
  for (const [at, node] of samples.entries()) {
    // A delta is the time since the sample before: a sample lasts until the next one.
    usByNode.set(node, (usByNode.get(node) ?? 0) + Math.max(0, timeDeltas[at + 1] ?? 0));
  }
  // A function has one node for each call path.
  const byPlace = new Map<string, FunctionTime>();
  for (const { id, callFrame } of nodes) {
    const us = usByNode.get(id) ?? 0;
    const { functionName, url, lineNumber, columnNumber } = callFrame;
    if (us === 0 || NOT_BUSY.has(functionName)) continue;
    const place = `${functionName} ${url} ${lineNumber} ${columnNumber}`;
    const selfUs = (byPlace.get(place)?.selfUs ?? 0) + us;
    byPlace.set(place, { functionName, url, lineNumber, columnNumber, selfUs });
  }
  return [...byPlace.values()].sort((a, b) => b.selfUs - a.selfUs);
}

/** The folder of `src`, the package, or the part of the engine that a function belongs to; `url` as `pathOf` gives it. */
export function areaOf({ functionName, url }: Pick<FunctionTime, 'functionName' | 'url'>): string {
  if (functionName === NATIVE) return 'native code outside of functions';
  if (functionName === COLLECTOR) return 'garbage collector';
  if (url.startsWith('node:')) return 'Node';
  // The last one: packages may have packages of their own.
  const [, packageName] = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (packageName !== undefined) return packageName;
  return (
    /^(src\/[^/]+(?:\/[^/]+)?)\//.exec(url)?.[1] ??
    (url === '' ? 'native functions: HTTP library, engine' : 'other')
  );
}

/** Microseconds by area, longest first. */
export function areaTimesOf(functions: readonly FunctionTime[]): readonly (readonly [string, number])[] {
  const byArea = new Map<string, number>();
  for (const one of functions) {
    const area = areaOf(one);
    byArea.set(area, (byArea.get(area) ?? 0) + one.selfUs);
  }
  return [...byArea].sort(([, a], [, b]) => b - a);
}
