import { describe, expect, test } from 'vitest';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { actorName, Mailboxes, type Work } from '../../src/runtime/partition/mailboxes.ts';

const alice = 1n;
const bob = 2n;

function work(key: bigint, flow: string, body: unknown, inboxSequence?: number, bytes?: number): Work {
  const envelope = { kind: 200, key, message: 1, body };
  return { envelope, flow, durable: inboxSequence !== undefined, inboxSequence, ...(bytes && { bytes }) };
}

function drain(mailboxes: Mailboxes, count = Number.POSITIVE_INFINITY): unknown[] {
  const bodies: unknown[] = [];
  while (bodies.length < count) {
    const taken = mailboxes.take();
    if (taken === undefined) break;
    bodies.push(taken.envelope.body);
  }
  return bodies;
}

describe('order', () => {
  test('calls of one flow to one actor are served as they came', () => {
    const mailboxes = new Mailboxes();
    for (let number = 0; number < 30; number += 1) mailboxes.offerCall(work(alice, 'account:1', number));
    expect(mailboxes.size).toBe(30);
    expect(drain(mailboxes)).toEqual(Array.from({ length: 30 }, (_, number) => number));
    expect([mailboxes.size, mailboxes.take()]).toEqual([0, undefined]);
  });

  test('durable messages of one actor are served as they stand in the inbox, whoever caused them', () => {
    const mailboxes = new Mailboxes();
    const flows = ['domain:a', 'domain:b', 'domain:a', 'domain:c', 'domain:b'];
    for (const [sequence, flow] of flows.entries()) mailboxes.addDurable(work(alice, flow, sequence, sequence));
    for (let number = 0; number < 20; number += 1) mailboxes.offerCall(work(bob, 'domain:b', `call ${number}`));
    expect(drain(mailboxes).filter((body) => typeof body === 'number')).toEqual([0, 1, 2, 3, 4]);
  });

  test('an actor has a backlog while durable messages wait, and calls make none', () => {
    const mailboxes = new Mailboxes();
    mailboxes.offerCall(work(alice, 'account:1', 'call'));
    expect(mailboxes.hasBacklog(200, alice)).toBe(false);
    mailboxes.addDurable(work(alice, 'account:1', 'durable', 1));
    expect([mailboxes.hasBacklog(200, alice), mailboxes.hasBacklog(200, bob)]).toEqual([true, false]);
    drain(mailboxes);
    expect(mailboxes.hasBacklog(200, alice)).toBe(false);
  });

  test('actors of different kinds with the same key are different actors', () => {
    expect(actorName(1, 5n)).not.toBe(actorName(2, 5n));
  });
});

describe('fairness', () => {
  test('a flow that floods leaves half of the turns to the other', () => {
    const mailboxes = new Mailboxes();
    for (let number = 0; number < 500; number += 1) mailboxes.offerCall(work(alice, 'domain:flood', 'flood'));
    for (let number = 0; number < 50; number += 1) mailboxes.offerCall(work(bob, 'account:2', 'quiet'));
    const served = drain(mailboxes, 100);
    expect(served.filter((body) => body === 'quiet').length).toBeGreaterThanOrEqual(44);
  });

  test('a flow that comes late is served within one round of the others', () => {
    const mailboxes = new Mailboxes();
    for (const flow of ['a', 'b', 'c'])
      for (let number = 0; number < 100; number += 1) mailboxes.offerCall(work(alice, flow, flow));
    drain(mailboxes, 10);
    mailboxes.offerCall(work(bob, 'late', 'late'));
    expect(drain(mailboxes, 3 * 8 + 1)).toContain('late');
  });

  test('within a flow, actors take turns', () => {
    const mailboxes = new Mailboxes();
    for (let number = 0; number < 5; number += 1) mailboxes.offerCall(work(alice, 'account:1', 'alice'));
    mailboxes.offerCall(work(bob, 'account:1', 'bob'));
    expect(drain(mailboxes, 2)).toEqual(['alice', 'bob']);
  });

  test('every flow is served to the end, in any mixture', () => {
    const mailboxes = new Mailboxes();
    const expected: string[] = [];
    for (let number = 0; number < 400; number += 1) {
      const body = `message ${number}`;
      expected.push(body);
      const actor = BigInt(number % 7);
      const flow = `flow ${(number * number) % 11}`;
      if (number % 3 === 0) mailboxes.addDurable(work(actor, flow, body, number));
      else mailboxes.offerCall(work(actor, flow, body));
    }
    expect(drain(mailboxes).sort()).toEqual(expected.sort());
  });
});

describe('bounds', () => {
  test('one flow may have so many calls waiting for one actor, and others are not concerned', () => {
    const mailboxes = new Mailboxes();
    for (let number = 0; number < partitionLimits.mailboxCallsMax; number += 1)
      expect(mailboxes.offerCall(work(alice, 'account:1', number))).toBe(true);
    expect(mailboxes.offerCall(work(alice, 'account:1', 'too much'))).toBe(false);
    expect(mailboxes.offerCall(work(bob, 'account:1', 'another actor'))).toBe(true);
    expect(mailboxes.offerCall(work(alice, 'account:2', 'another flow'))).toBe(true);
    mailboxes.take();
    expect(mailboxes.offerCall(work(alice, 'account:1', 'room again'))).toBe(true);
  });

  test('a partition has a bound on all its calls; durable messages are never refused', () => {
    const mailboxes = new Mailboxes();
    const { waitingCallsMax, callsOfModestFlowMax } = partitionLimits;
    const offer = (number: number) =>
      mailboxes.offerCall(work(BigInt(number), `account:${Math.floor(number / callsOfModestFlowMax)}`, number));
    let admitted = 0;
    while (offer(admitted)) admitted += 1;
    expect(admitted).toBe(waitingCallsMax);
    expect(mailboxes.offerCall(work(alice, 'account:alice', 'too much'))).toBe(false);
    mailboxes.addDurable(work(alice, 'account:2', 'durable', 1));
    expect(mailboxes.size).toBe(partitionLimits.waitingCallsMax + 1);
  });

  test('the last places are for flows that ask for little: one that floods does not keep them out', () => {
    const { waitingCallsMax, waitingCallsReserved, callsOfModestFlowMax } = partitionLimits;
    const mailboxes = new Mailboxes();
    let admitted = 0;
    while (mailboxes.offerCall(work(BigInt(admitted), 'account:flood', admitted))) admitted += 1;
    expect(admitted).toBe(waitingCallsMax - waitingCallsReserved);
    const offers = Array.from({ length: callsOfModestFlowMax + 1 }, (_, number) =>
      mailboxes.offerCall(work(BigInt(number), 'account:quiet', number)),
    );
    expect(offers).toEqual([...Array.from({ length: callsOfModestFlowMax }, () => true), false]);
  });

  test('all calls have so many bytes together, some of them for flows that ask for little', () => {
    const { waitingCallsBytesMax, waitingCallsBytesReserved } = partitionLimits;
    const bytes = 1_000_000;
    const offer = (mailboxes: Mailboxes, flow: string, key = alice) =>
      mailboxes.offerCall({ ...work(key, flow, 'large', undefined, bytes), deadline: 5 });
    const mailboxes = new Mailboxes();
    const common = Math.floor((waitingCallsBytesMax - waitingCallsBytesReserved) / bytes);
    for (let number = 0; number < common; number += 1) expect(offer(mailboxes, 'domain:flood')).toBe(true);
    expect(offer(mailboxes, 'domain:flood')).toBe(false);
    const all = Math.floor(waitingCallsBytesMax / bytes);
    for (let number = common; number < all; number += 1)
      expect(offer(mailboxes, `account:${number}`, BigInt(number))).toBe(true);
    expect([offer(mailboxes, 'account:0', 0n), mailboxes.callBytes]).toEqual([false, all * bytes]);
    mailboxes.take();
    expect([offer(mailboxes, 'account:0', 0n), mailboxes.callBytes]).toEqual([true, all * bytes]);
    mailboxes.takeExpired(5);
    expect(mailboxes.callBytes).toBe(0);
    offer(mailboxes, 'account:0');
    mailboxes.takeCalls();
    offer(mailboxes, 'account:0');
    expect(mailboxes.callBytes).toBe(bytes);
    mailboxes.clear();
    expect(mailboxes.callBytes).toBe(0);
  });

  test('a refused call leaves nothing behind', () => {
    const mailboxes = new Mailboxes();
    for (let number = 0; number <= partitionLimits.mailboxCallsMax; number += 1)
      mailboxes.offerCall(work(alice, 'account:1', number));
    expect(drain(mailboxes)).toHaveLength(partitionLimits.mailboxCallsMax);
  });
});

test('the waiting calls can be taken out, and what is durable stays in order', () => {
  const mailboxes = new Mailboxes();
  mailboxes.offerCall(work(alice, 'account:1', 'one'));
  for (let sequence = 1; sequence < 20; sequence += 1) mailboxes.addDurable(work(bob, 'account:1', sequence, sequence));
  mailboxes.offerCall(work(alice, 'account:2', 'two'));
  expect(mailboxes.takeCalls().map(({ envelope }) => envelope.body)).toEqual(['one', 'two']);
  expect(drain(mailboxes)).toEqual(Array.from({ length: 19 }, (_, number) => number + 1));
});

test('clear forgets everything', () => {
  const mailboxes = new Mailboxes();
  mailboxes.offerCall(work(alice, 'account:1', 'one'));
  mailboxes.addDurable(work(bob, 'account:1', 'durable', 1));
  mailboxes.clear();
  expect([mailboxes.size, mailboxes.take(), mailboxes.hasBacklog(200, bob)]).toEqual([0, undefined, false]);
});

test('the age of the inbox is that of its oldest message, not of calls', () => {
  const mailboxes = new Mailboxes();
  expect(mailboxes.oldestDurableSince).toBeUndefined();
  mailboxes.offerCall(work(alice, 'account:1', 'call'));
  mailboxes.addDurable({ ...work(bob, 'account:1', 'first', 1), inboxSince: 20 });
  mailboxes.addDurable({ ...work(bob, 'account:1', 'second', 2), inboxSince: 30 });
  mailboxes.addDurable({ ...work(alice, 'account:2', 'third', 3), inboxSince: 25 });
  expect(mailboxes.oldestDurableSince).toBe(20);
  while (mailboxes.take()?.envelope.body !== 'first');
  expect(mailboxes.oldestDurableSince).toBe(25);
});
