/** Keeps a number of writes in flight, as that many clients would. */

interface FlightResult {
  readonly writes: number;
  readonly seconds: number;
}

/** Keeps `inFlight` calls of `write` under way for `seconds`; counts those that were acknowledged. */
export async function keepInFlight(
  inFlight: number,
  seconds: number,
  write: () => Promise<unknown>,
): Promise<FlightResult> {
  const start = performance.now();
  const end = start + seconds * 1_000;
  let writes = 0;
  const writer = async (): Promise<void> => {
    while (performance.now() < end) {
      await write();
      writes++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, writer));
  return { writes, seconds: (performance.now() - start) / 1_000 };
}
