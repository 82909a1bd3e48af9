/**
 * Everything that a gateway caches counts against the bound of its cache and is dropped with the object from which it
 * was derived.
 */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { GatewayServices } from '../../src/gateway/gateway-services.ts';
import { credentialsAnswer } from '../../src/gateway/rest/accounts/credentials-answer.ts';
import { Payloads } from '../../src/gateway/streaming/payloads.ts';
import { walkThread } from '../../src/operations/presentation/threads.ts';
import type { Post } from '../support/acts.ts';
import { measuredCaches } from '../support/caches.ts';
import type { Person } from '../support/observer.ts';
import { People } from '../support/people.ts';
import { presenting } from '../support/presenting.ts';

const text = 'cats and dogs '.repeat(20);

let people: People;
let services: GatewayServices;
let bytesOf: ReturnType<typeof measuredCaches>['bytesOf'];
let alice: Person;
let bob: Person;
let post: Post;

beforeEach(async () => {
  people = new People();
  const measured = measuredCaches();
  services = presenting(people.server, measured.caches);
  bytesOf = measured.bytesOf;
  alice = people.local('alice');
  bob = people.local('bob');
  post = await people.publish(alice, { text });
});

const show = (viewer: Person) => services.presenter.one(post.id, viewer.id, 'home');

/** By how much a cache has grown when something was done. */
function growth(cache: Parameters<typeof bytesOf>[0], act: () => unknown): number {
  const before = bytesOf(cache);
  act();
  return bytesOf(cache) - before;
}

async function filter(keyword: string): Promise<void> {
  const changes = { title: 'Animals', contexts: ['home' as const], action: 'warn' as const };
  await people.server.call(Account.changeFilter.to(bob.id, { changes, keywords: [{ keyword }] }));
}

test('the text that keywords are looked for in counts for the status, once', async () => {
  show(alice);
  await filter('cats');
  expect(growth('statuses', () => show(bob))).toBeGreaterThanOrEqual(text.length - 1);
  expect(growth('statuses', () => show(bob))).toBe(0);
});

test('filters count for the viewer, with their keywords and what they were found to match', async () => {
  show(bob);
  const keyword = 'a long word '.repeat(4);
  await filter(keyword);
  expect(growth('viewers', () => show(bob))).toBeGreaterThan(2 * keyword.length);
  await filter('cats');
  const matching = growth('viewers', () => show(bob));
  post = await people.publish(alice, { text: 'nothing' });
  const other = growth('viewers', () => show(bob));
  expect(other).toBeGreaterThan(0);
  expect(matching).toBeGreaterThan(other);
});

test('the ids of answers count for the status that they answer', async () => {
  for (let count = 0; count < 5; count += 1) await people.publish(bob, { replyTo: post });
  const status = services.presenter.status(post.id)!;
  const { presenter } = services;
  const walk = () => growth('statuses', () => [...walkThread(presenter.threads, status)]);
  for (const id of presenter.threads.repliesTo(status, {})) presenter.threads.keepReplies(presenter.status(id)!, []);
  expect(walk()).toBeGreaterThanOrEqual(5 * 8);
  expect(walk()).toBe(0);
});

test('payloads of streams count for their status, in each state in which viewers have it', async () => {
  const payloads = new Payloads(services);
  const send = (viewer: Person) => payloads.statusIn('stream', post.id, viewer.id)!;
  show(alice);
  show(bob);
  const size = growth('statuses', () => send(bob));
  expect(size).toBeGreaterThanOrEqual(2 * send(bob).json.length);
  expect(growth('statuses', () => send(bob))).toBe(0);
  const carol = people.local('carol', { partition: 1 });
  await people.favourite(carol, post);
  show(alice);
  const [first, second] = [growth('statuses', () => send(bob)), growth('statuses', () => send(carol))];
  expect(second).toBeGreaterThanOrEqual(2 * send(carol).json.length);
  expect(first).toBeGreaterThan(second);
});

test('what counts for a status goes with it', async () => {
  const payloads = new Payloads(services);
  await filter('cats');
  const empty = bytesOf('statuses');
  services.presenter.status(post.id);
  expect(growth('statuses', () => payloads.statusIn('stream', post.id, bob.id))).toBeGreaterThan(3 * text.length);
  await people.server.call(Account.deleteStatus.to(alice.id, { statusId: post.id, destinations: [] }));
  expect(bytesOf('statuses')).toBe(empty);
});

test('what users are told of their own accounts is kept within a bound of its own', () => {
  const grant = { tokenId: '', accountId: bob.id, applicationId: 0n, scopes: new Set<never>(), dialect: 'mastodon' };
  const ask = () => credentialsAnswer(services, grant as never);
  expect(growth('credentials', ask)).toBeGreaterThan(ask().body.length);
  expect(growth('credentials', ask)).toBe(0);
});
