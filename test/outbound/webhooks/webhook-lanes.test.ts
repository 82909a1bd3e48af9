/** Webhooks from the turn in which something happens to the receiver, in simulated time. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { findHostNumber } from '../../../src/actors/partition/deliveries.queries.ts';
import { webhookLane } from '../../../src/actors/policy/webhooks.ts';
import { slotOfKey } from '../../../src/runtime/ids.ts';
import type { Person } from '../../support/observer.ts';
import { WebhookBed } from './webhook-bed.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let bed: WebhookBed;
let bob: Person;

beforeEach(() => {
  bed = new WebhookBed();
  bob = bed.people.local('bob');
});

async function post(text = 'Hello') {
  const status = await bed.people.publish(bob, { text });
  await bed.settle();
  return status;
}

test('a server without webhooks writes nothing', async () => {
  await post();
  expect(bed.logged()).toBe(0);
  const webhookId = bed.add();
  bed.server.callNow(Instance.enableWebhook.to(instanceKey, { webhookId, isEnabled: false }));
  await post();
  expect([bed.logged(), bed.sent]).toEqual([0, []]);
});

test('what it wants is told in the order in which it happened, and nothing else', async () => {
  bed.add({ events: ['status.created', 'account.updated'] });
  bed.add({ url: 'https://other.example/', events: ['report.created'] });
  const { id } = await post();
  bed.server.callNow(Account.changeProfile.to(bob.id, { displayName: 'Bob' }));
  bed.server.callNow(Account.changeProfile.to(bob.id, { displayName: 'Bob' }));
  await bed.settle();
  expect(bed.bodies()).toEqual([
    { event: 'status.created', created_at: expect.any(String), object: expect.objectContaining({ id: `${id}` }) },
    {
      event: 'account.updated',
      created_at: expect.any(String),
      object: expect.objectContaining({ account: expect.objectContaining({ display_name: 'Bob' }) }),
    },
  ]);
  expect(bed.problems).toEqual([]);
});

test('a receiver that fails is tried again after longer and longer waits, up to two days; the page knows', async () => {
  const webhookId = bed.add();
  bed.answer(500);
  await post();
  await bed.advance(10 * minute);
  expect(bed.sent.length).toBeGreaterThan(2);
  expect(bed.stored(webhookId)).toMatchObject({ problem: { status: 500 }, failedAt: expect.any(Number) });
  const tried = bed.sent.length;
  await bed.advance(minute);
  expect(bed.sent).toHaveLength(tried);
  bed.answer(200);
  await bed.advance(2 * hour);
  expect(bed.stored(webhookId)?.acceptedAt).toBeGreaterThan(bed.stored(webhookId)!.failedAt!);
  const [first] = bed.bodies();
  expect(bed.bodies()).toEqual(bed.bodies().map(() => first));
  bed.answer(500);
  await post();
  await bed.advance(72 * hour);
  const given = bed.sent.length;
  await bed.advance(72 * hour);
  expect([bed.sent.length, bed.logged()]).toEqual([given, 0]);
});

test('a refusal ends what was refused; another webhook is told meanwhile', async () => {
  bed.add();
  bed.add({ url: 'https://other.example/' });
  bed.answer(404);
  await post('one');
  await post('two');
  await bed.advance(hour);
  const urls = bed.sent.map(({ url }) => url).sort();
  expect(urls).toEqual([
    ...['https://bot.example/', 'https://bot.example/', 'https://other.example/', 'https://other.example/'],
  ]);
});

test('a thread that dies loses nothing, and sends again what was not answered', async () => {
  bed.add();
  bed.answer(503);
  const { id } = await post();
  bed.answer(200);
  await bed.crash();
  await bed.advance(minute);
  expect(bed.bodies().at(-1)?.object.id).toBe(`${id}`);
  const sent = bed.sent.length;
  await bed.advance(minute);
  await bed.crash();
  await bed.advance(hour);
  expect(bed.sent).toHaveLength(sent);
});

test('what is deleted, disabled or removed meanwhile is not told', async () => {
  const webhookId = bed.add();
  bed.answer(500);
  await bed.people.remove(await post());
  const before = bed.sent.length;
  await bed.advance(hour);
  expect(bed.sent).toHaveLength(before);
  await post();
  const waiting = bed.sent.length;
  bed.server.callNow(Instance.enableWebhook.to(instanceKey, { webhookId, isEnabled: false }));
  bed.server.callNow(Instance.removeWebhook.to(instanceKey, { webhookId }));
  await bed.advance(hour);
  expect(bed.sent).toHaveLength(waiting);
  expect(bed.problems).toEqual([]);
});

test('another address and another template count for what waits, at once', async () => {
  const webhookId = bed.add();
  bed.answer(500);
  await post();
  await bed.advance(hour);
  const content = { url: 'https://new.example/', events: ['status.created' as const], template: '{{object.content}}' };
  bed.server.callNow(Instance.changeWebhook.to(instanceKey, { webhookId, content }));
  expect(bed.stored(webhookId)?.problem).toBeUndefined();
  expect(bed.lanes.retry(webhookLane(webhookId))).toBe(1);
  await bed.advance(second);
  expect(bed.sent.at(-1)).toMatchObject({ url: 'https://new.example/', text: expect.stringContaining('Hello') });
  expect(bed.stored(webhookId)?.acceptedAt).toBeDefined();
});

test('a test is told to one webhook, whatever it wants to be told, and its answer is always known', async () => {
  const webhookId = bed.add({ template: '{"text":"{{event}}","of":{{object.id}}}' });
  bed.add({ url: 'https://other.example/' });
  const test = () => bed.server.callNow(Instance.testWebhook.to(instanceKey, { webhookId }));
  test();
  await bed.settle();
  expect(bed.sent).toMatchObject([{ url: 'https://bot.example/', text: `{"text":"webhook.test","of":${webhookId}}` }]);
  const { acceptedAt } = bed.stored(webhookId)!;
  await bed.advance(second);
  // Sooner than the answers of other requests are told.
  test();
  await bed.settle();
  expect(bed.stored(webhookId)?.acceptedAt).toBeGreaterThan(acceptedAt!);
  bed.server.callNow(Instance.enableWebhook.to(instanceKey, { webhookId, isEnabled: false }));
  expect(test).toThrow('enable it first');
  await bed.advance(minute);
  expect([bed.sent.length, bed.problems]).toEqual([2, []]);
});

test('a host that another log delivers to has no lane here, whatever is asked of it', async () => {
  const zoe = bed.people.remote('zoe', 'far.example');
  await bed.people.follow(zoe, bob);
  await bed.settle();
  const { read } = bed.server;
  expect(findHostNumber(read.partitions[read.placement.partitionOf(slotOfKey('far.example'))]!, 'far.example')).toBe(1);
  expect([bed.lanes.retry('far.example'), bed.lanes.laneReport()]).toEqual([0, []]);
});

test('a template that would become too long is not sent, and counted', async () => {
  bed.add({ template: '{{object}}'.repeat(1_000) });
  await post('x'.repeat(400));
  expect([bed.sent, bed.dropped]).toEqual([[], ['too long']]);
});
