/** What gateways are not told about concerns neither their caches nor their streams. */
import { expect, test } from 'vitest';
import { eventTypes } from '../../src/actors/events.ts';
import { streamEventOf } from '../../src/gateway/streaming/stream-events.ts';
import { gatewayEvents } from '../../src/server/gateway-events.ts';

test('caches and streams have no use for the events that are left out', () => {
  const leftOut = [...eventTypes.values()].filter(({ number }) => !gatewayEvents.includes(number));
  expect(leftOut.map(({ name }) => name).toSorted()).toEqual([
    ...['delivery appended', 'mail appended', 'push appended', 'relay appended'],
  ]);
  for (const type of leftOut) {
    expect(streamEventOf({ event: type.number, body: {} })).toBeUndefined();
    expect(type.invalidates({ sequence: 1 })).toEqual([]);
  }
});
