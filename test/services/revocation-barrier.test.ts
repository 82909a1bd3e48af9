/** Answers of a gateway about how far it has applied the events of the partitions. */
import { expect, test, vi } from 'vitest';
import type { Client } from '../../src/runtime/threads/client.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import { RevocationBarrier } from '../../src/services/revocation-barrier.ts';

test('a gateway that has just started has applied exactly what was committed before', async () => {
  const events = new EventHub();
  const report = vi.fn();
  const barrier = new RevocationBarrier({ client: {} as Client, events, gateways: [], report });
  barrier.start([7, 3]);
  await barrier.answer(
    new Map([
      [0, 7],
      [1, 2],
    ]),
  );
  const applied = vi.fn();
  const answered = barrier.answer(new Map([[1, 4]])).then(applied);
  events.dispatch({ partition: 0, commit: 8, events: [] }, []);
  await Promise.resolve();
  expect(applied).not.toHaveBeenCalled();
  events.dispatch({ partition: 1, commit: 4, events: [] }, []);
  await answered;
  expect(report).not.toHaveBeenCalled();
});
