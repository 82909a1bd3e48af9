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
/** What is asked again and again takes time from what it waits for: the longer it has taken, the later the next poll. */
const [pauseMillisecondsMin, pauseMillisecondsMax, pauseShare] = [5, 25, 0.02];
/** Also where a test replaces those of the process. */
const { setImmediate, setTimeout } = globalThis;

/**
 * Resolves with the first truthy value of the condition. Polls at once, then each turn of the event loop, then every few
 * milliseconds, and at least forty times a second. What the condition throws counts as "not yet" and becomes the cause of the failure.
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
    const waited = performance.now() - startMilliseconds;
    if (waited >= deadlineMilliseconds) break;
    await pause(poll, waited);
  }
  const description = options.description ?? condition.toString();
  throw new Error(`Not true within ${deadlineMilliseconds / 1_000} s: ${description}`, { cause: lastError });
}

function pause(poll: number, waited: number): Promise<void> {
  const milliseconds = Math.min(Math.max(pauseMillisecondsMin, waited * pauseShare), pauseMillisecondsMax);
  return new Promise((resolve) => {
    if (poll < immediatePolls) setImmediate(resolve);
    else setTimeout(resolve, milliseconds);
  });
}
