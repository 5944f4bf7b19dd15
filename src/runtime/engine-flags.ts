/**
 * Flags of the engine that count only when the process starts with them, because the heap is set up before any code
 * runs: set later, a nursery of 64 MB stays at the 16 MB that Node chooses (measured on Node 20). The first line of
 * `cli.ts` passes them, so every start of `ratewright` has them, but for `node dist/src/cli.js`.
 */

/** Flag -> its reason. The figures are in bench/README.md. */
export const ENGINE_FLAGS: Readonly<Record<string, string>> = {
  '--min-semi-space-size=64': 'the nursery has its full size from the first request on',
  '--max-semi-space-size=64': 'a collection of the nursery interrupts 1 in 400 requests instead of 1 in 100',
  '--no-parallel-scavenge': 'waiting for a second collecting thread takes longer than it helps',
};

/** The flags that this process was not started with. */
export const missingEngineFlags = (given: readonly string[] = process.execArgv): readonly string[] =>
  Object.keys(ENGINE_FLAGS).filter((flag) => !given.includes(flag));
