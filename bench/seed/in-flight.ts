/** Many calls at once, for they are committed in groups; never more of them than an owner lets wait. */

const inFlightMax = 8_192;

/**
 * Runs `work` for 0 … count - 1 and answers what it gave, in order. Rejects with the first failure. `atOnce`: fewer, where they
 * are calls of one flow to one actor.
 */
export async function inFlight<Result>(
  count: number,
  work: (index: number) => Promise<Result>,
  atOnce = inFlightMax,
): Promise<Result[]> {
  const results = new Array<Result>(count);
  let next = 0;
  const runner = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, runner));
  return results;
}
