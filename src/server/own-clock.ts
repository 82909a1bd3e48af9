/** A clock that is not that of the machine, for development. */
import type { Options } from '../options/table.ts';
import { type ClockShift, createClockShift } from '../runtime/threads/clock.ts';

const ownNames = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Throws an Error whose message is a sentence for the operator: other servers refuse what is signed at another time. */
export function startClock({ clock, origin }: Options): ClockShift | undefined {
  if (clock === undefined) return undefined;
  if (!ownNames.test(new URL(origin).hostname))
    throw new Error(
      'MURMURATION_CLOCK is for development: the server must have an origin of this machine, such as http://localhost:3000.',
    );
  return createClockShift(clock);
}
