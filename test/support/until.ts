/**
 * The one place where a test waits: polls a condition until it holds, and says what did not happen when it never does.
 */

export interface UntilOptions {
  /** What is waited for, for the sentence of the failure; the text of the condition when absent. */
  description?: string;
}

/** Far more than anything takes on a busy machine: no test is about how quick something is. Less than a test may take. */
const deadlineMilliseconds = 30_000;
const immediatePolls = 50;
const pollMilliseconds = 5;
/** Also where a test replaces those of the process. */
const { setImmediate, setTimeout } = globalThis;

/**
 * Resolves with the first truthy value of the condition. Polls at once, then each turn of the event loop, then every few
 * milliseconds. What the condition throws counts as "not yet" and becomes the cause of the failure.
 */
export async function until<Value>(
  condition: () => Value | Promise<Value>,
  options: UntilOptions = {},
): Promise<NonNullable<Value>> {
  const startMilliseconds = performance.now();
  let lastError: unknown;
  for (let poll = 0; ; poll += 1) {
    try {
      const value = await condition();
      if (value) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() - startMilliseconds >= deadlineMilliseconds) break;
    await pause(poll);
  }
  const description = options.description ?? condition.toString();
  throw new Error(`Not true within ${deadlineMilliseconds / 1_000} s: ${description}`, { cause: lastError });
}

function pause(poll: number): Promise<void> {
  return new Promise((resolve) => {
    if (poll < immediatePolls) setImmediate(resolve);
    else setTimeout(resolve, pollMilliseconds);
  });
}
