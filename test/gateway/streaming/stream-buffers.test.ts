/** The bound on the data that waits for all slow streams. */
import { expect, test } from 'vitest';
import type { UserGrant } from '../../../src/gateway/http/grant.ts';
import { StreamBuffers } from '../../../src/gateway/streaming/stream-buffers.ts';
import type { CloseReason, Connection } from '../../../src/gateway/streaming/subscriber.ts';
import { only } from '../../support/only.ts';

/** Streams with so many bytes each, in a server that lets 1 000 wait. */
function opened(waiting: Readonly<Record<string, number | undefined>>) {
  const closed: string[] = [];
  const reported: string[] = [];
  const connections = new Set<Connection>();
  for (const [name, bufferedBytes] of Object.entries(waiting)) {
    const connection: Connection = {
      grant: only<UserGrant>('grant', {}),
      ...(bufferedBytes === undefined ? {} : { bufferedBytes }),
      deliver: () => undefined,
      close: (reason: CloseReason) => {
        closed.push(`${name} ${reason}`);
        connections.delete(connection);
      },
    };
    connections.add(connection);
  }
  const buffers = new StreamBuffers({
    bytesMax: 1_000,
    connections,
    report: ({ level, message }) => void reported.push(`${level}: ${message}`),
  });
  return { buffers, closed, reported };
}

test.each<[string, Record<string, number | undefined>, string[], number]>([
  ['nobody while all of it is within the bound', { alice: 600, bob: 400 }, [], 1_000],
  ['the one with the most', { alice: 300, bob: 700, carol: 100 }, ['bob slow'], 400],
  [
    'as many as it takes, in the order of what waits for them',
    { alice: 900, bob: 1_500, carol: 800, dora: 100 },
    ['bob slow', 'alice slow'],
    900,
  ],
  ['nobody who has taken all that was sent', { alice: 0, bob: undefined, carol: 1_100 }, ['carol slow'], 0],
])('closes %s', (_name, waiting, expected, left) => {
  const { buffers, closed } = opened(waiting);
  buffers.wrote(251);
  expect(closed).toEqual(expected);
  expect(buffers.bytes).toBe(left);
});

test('looks again whenever a quarter of the bound was written, and tells the operator what it did', () => {
  const { buffers, closed, reported } = opened({ alice: 700, bob: 700 });
  for (const bytes of [100, 100, 50]) buffers.wrote(bytes);
  expect(closed).toEqual([]);
  buffers.wrote(1);
  expect(closed).toEqual(['alice slow']);
  expect(reported).toEqual(['warn: closed 1 slow streams: 1400 bytes waited for streams, and 1000 may']);
  buffers.wrote(1_000);
  expect(closed).toHaveLength(1);
});
