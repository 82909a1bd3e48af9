/** A call runs only while its caller waits, and is refused as too late only then. */
import type { Checker } from '../workload.ts';

/** `now` is the monotonic clock, by which callers give up. */
export function deadlines(now: () => number): Checker {
  return {
    name: 'deadlines',
    runs({ number, deadline }) {
      return now() < deadline ? undefined : `call ${number} runs ${now() - deadline} ms after its deadline`;
    },
    reply({ number, deadline }, result) {
      if (result.ok || result.failure.code !== 'expired' || now() >= deadline) return undefined;
      return `call ${number} is refused as expired ${deadline - now()} ms before its deadline`;
    },
  };
}
