/** A host fails for some deliveries or some inboxes only: the others do not wait for them. */
import { describe, expect, it } from 'vitest';
import type { DeliveryResult } from '../../src/outbound/fetcher/deliver.ts';
import { alice, create, createLanes, slow } from './delivery/lanes-bed.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const followers = { followersOf: alice };

function shared(host: string): string {
  return `https://${host}/inbox`;
}

describe('an answer', () => {
  it.each([302, 500])('%i of some inboxes of a host does not hold up the others for long', async (code) => {
    const lanes = await createLanes();
    const [carol, dave, erin] = ['carol', 'dave', 'erin'].map((name) => `https://odd.example/users/${name}/inbox`);
    for (const inbox of [carol, dave, erin]) lanes.follow(alice, inbox!);
    const deliveriesTo = (name: string | undefined) => lanes.sent.filter(({ inbox }) => inbox === name).length;
    // The order of inboxes is that of their keys.
    lanes.tell(create(), followers);
    await lanes.settle();
    const [first, second, last] = lanes.sent.map(({ inbox }) => inbox);
    lanes.answer('odd.example', ({ inbox }) => (inbox === last ? 202 : code));
    for (let posts = 1; posts <= 5; posts += 1) {
      lanes.tell(create(), followers);
      await lanes.advance(20 * minute);
      expect(deliveriesTo(last)).toBe(posts + 1);
    }
    await lanes.advance(10 * day);
    for (const name of [first, second]) expect(deliveriesTo(name)).toBeLessThanOrEqual(1 + 5 * 5);
    expect(lanes.logged()).toBe(0);
  });

  it('500 to one delivery, while there is no other, does not hold up the next one for long', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('odd.example'));
    lanes.answer('odd.example', ({ about }) => (about === 1n ? 500 : 202));
    lanes.tell(create(1n), followers);
    await lanes.advance(8 * hour);
    lanes.tell(create(2n), followers);
    await lanes.advance(minute);
    expect(lanes.sent.map(({ about }) => about).slice(-2)).toEqual([2n, 1n]);
    await lanes.advance(3 * hour);
    expect(lanes.logged()).toBe(0);
  });

  it('500 to everything is not asked for with each new delivery', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('odd.example'));
    lanes.answer('odd.example', () => 500);
    for (let posts = 0; posts < 7 * 24; posts += 1) {
      lanes.tell(create(), followers);
      await lanes.advance(hour);
    }
    expect(lanes.sent.length).toBeLessThan(28);
  });

  it('500 to one delivery only does not hold up the others for long', async () => {
    const lanes = await createLanes();
    lanes.follow(alice, shared('odd.example'));
    lanes.answer('odd.example', ({ about }) => (about === 1n ? 500 : 202));
    lanes.tell(create(1n), followers);
    await lanes.advance(1_000);
    lanes.tellAll([create(2n), create(3n)], followers);
    await lanes.advance(minute);
    expect(lanes.sentTo('odd.example').filter(({ about }) => about !== 1n)).toHaveLength(2);
    lanes.tell(create(4n), followers);
    await lanes.settle();
    expect(lanes.sent.at(-1)?.about).toBe(4n);
    await lanes.advance(day);
    expect(lanes.sent.filter(({ about }) => about === 1n).length).toBeLessThanOrEqual(5);
    expect(lanes.logged()).toBe(0);
  });

  it('that never comes to one delivery only does not stop the others', async () => {
    const timedOut: DeliveryResult = { ok: false, kind: 'unreachable', fault: 'timedOut', detail: '' };
    const lanes = await createLanes();
    lanes.follow(alice, shared('slow.example'));
    lanes.answer('slow.example', ({ about }) =>
      about === 1n ? { result: timedOut, afterMilliseconds: 10_000 } : slow(100),
    );
    lanes.tell(create(1n), followers);
    for (let second = 0; second < 60; second += 1) {
      lanes.tell(create(), followers);
      await lanes.advance(1_000);
      expect(lanes.lane('slow.example')?.state).toBe('healthy');
    }
    expect(lanes.sentTo('slow.example')).toHaveLength(61);
    await lanes.advance(3 * hour);
    expect(lanes.sent.filter(({ about }) => about === 1n)).toHaveLength(3);
    expect(lanes.logged()).toBe(0);
  });
});
