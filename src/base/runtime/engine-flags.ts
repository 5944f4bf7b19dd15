/**
 * All flags of the engine, each with its reason. The first line of `cli.ts` passes them, because the heap is set up
 * before any code runs. So every start of `ratewright` has them, but `node dist/program/cli.js` does not. The nursery is
 * the part of the heap in which new values are allocated.
 */

/** Flag -> its reason on Node 20. */
export const ENGINE_FLAGS: Readonly<Record<string, string>> = {
  '--max-semi-space-size=16':
    'a collection moves the values that an import made, so a larger nursery makes longer turns',
  '--no-parallel-scavenge': 'waiting for a second collecting thread costs more than it saves',
  '--no-allocation-site-pretenuring':
    'with pretenuring, texts of writes are soon allocated outside the nursery, which makes each write slower',
};

/** The flags that this process was not started with. */
export const missingEngineFlags = (given: readonly string[] = process.execArgv): readonly string[] =>
  Object.keys(ENGINE_FLAGS).filter((flag) => !given.includes(flag));
