/**
 * All flags of the engine, each with its reason. The first line of `cli.ts` passes them, so every start of `ratewright`
 * has them, but for `node dist/src/cli.js`: the heap is set up before any code runs. The nursery is the part of the heap
 * in which values are made.
 */

/** Flag -> its reason, measured on Node 20. */
export const ENGINE_FLAGS: Readonly<Record<string, string>> = {
  '--max-semi-space-size=16':
    'a collection moves what an import has made: the longest turn is 20 ms, with 32 MB 38 ms, with 64 MB 54 ms',
  '--no-parallel-scavenge':
    'waiting for a second collecting thread takes longer than it helps: without it a turn of 35 ms instead of 20',
  '--no-allocation-site-pretenuring':
    'without it, texts of writes are made outside the nursery after a while, which takes a fifth of each write',
};

/** The flags that this process was not started with. */
export const missingEngineFlags = (given: readonly string[] = process.execArgv): readonly string[] =>
  Object.keys(ENGINE_FLAGS).filter((flag) => !given.includes(flag));
