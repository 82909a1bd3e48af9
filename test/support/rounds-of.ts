/**
 * Counts the rounds of the event loop in which work is done; between two of them other work, such as `between`, runs.
 */
export async function roundsOf(work: () => unknown, between?: () => void): Promise<number> {
  let rounds = 1;
  const count = () => {
    rounds += 1;
    between?.();
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  try {
    await work();
  } finally {
    clearImmediate(next);
  }
  return rounds;
}
