/** The host of a page keeps its card for all statuses that link to it. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { logins, profiles } from '../../../src/actors/account/profile/profile.state.ts';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { actors, keyspaces, rules } from '../../../src/actors/catalogue.ts';
import { fetchCard } from '../../../src/actors/domain/cards/cards.effects.ts';
import { cardLimits } from '../../../src/actors/domain/cards/limits.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import type { Rule } from '../../../src/runtime/storage/rules.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import { entryCounts } from '../../support/entry-counts.ts';
import type { MemoryStore } from '../../support/memory-log.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { plainPost } from '../../support/plain-post.ts';
import { assertSound } from '../../support/sound.ts';

const host = 'site.example';
const url = `https://${host}/a`;
const card = { url, title: 'A', description: '' };
const hour = 60 * 60 * 1_000;

let server: TestServer;
let alice: Person;
let bob: Person;

beforeEach(() => {
  server = createTestServer({ actors, keyspaces });
  const people = new People(server);
  alice = people.local('alice');
  bob = people.local('bob');
});

afterEach(() => expect(server.problems).toEqual([]));

async function publish(by: Person, link: string | undefined = url): Promise<Id> {
  const { statusId } = await server.call(Account.publish.to(by.id, plainPost('x', link === undefined ? {} : { link })));
  server.settle();
  return statusId;
}
const remove = async (by: Person, statusId: Id) => {
  await server.call(Account.deleteStatus.to(by.id, { statusId, destinations: [] }));
  server.settle();
};
const fetches = () => server.effects.filter(({ effect }) => effect === fetchCard.number);
const answer = (more: object) => {
  fetches()
    .at(-1)!
    .answer({ url, ...more });
  server.settle();
};
const shown = (statusId: Id) => findStatus(server.read, statusId)?.status.card;
const counts = () => entryCounts(server);

test('one fetch serves all statuses, also later ones', async () => {
  const first = await publish(alice);
  const second = await publish(bob);
  expect(fetches()).toMatchObject([{ request: { url } }]);
  answer({ card });
  expect([shown(first), shown(second)]).toEqual([card, card]);
  expect(shown(await publish(bob))).toEqual(card);
  expect(fetches()).toHaveLength(1);
});

test('a host is asked for one page at a time, and for none that nobody waits for', async () => {
  await publish(alice);
  const gone = await publish(bob, `${url}?gone`);
  await publish(bob, `${url}?kept`);
  await publish(bob, 'https://other.example/');
  expect(fetches().map(({ request }) => request)).toEqual([{ url }, { url: 'https://other.example/' }]);
  await remove(bob, gone);
  fetches()[0]!.answer({ url, card });
  server.settle();
  expect(fetches().slice(2)).toMatchObject([{ request: { url: `${url}?kept` } }]);
});

test('it is fetched anew for a status after two weeks, and the old one stays where that fails', async () => {
  await publish(alice);
  answer({ card });
  server.clock.advance(cardLimits.freshMilliseconds);
  const later = await publish(bob);
  expect(fetches()).toHaveLength(2);
  answer({ againMilliseconds: hour });
  expect(shown(later)).toEqual(card);
  server.clock.advance(hour);
  const latest = await publish(bob);
  answer({ card: { ...card, title: 'B' } });
  expect([shown(later)?.title, shown(latest)?.title]).toEqual(['A', 'B']);
});

test('a failure is remembered', async () => {
  await publish(alice);
  answer({ againMilliseconds: hour });
  await publish(bob);
  expect(fetches()).toHaveLength(1);
  server.clock.advance(hour);
  await publish(bob);
  expect(fetches()).toHaveLength(2);
});

test('it is forgotten when no status shows it any more', async () => {
  const statusId = await publish(alice);
  answer({ card });
  server.clock.advance(2 * cardLimits.freshMilliseconds);
  expect(counts()).toMatchObject({ cards: 1 });
  await remove(alice, statusId);
  const { cards, 'statuses with cards': showing } = counts();
  expect([cards, showing]).toEqual([undefined, undefined]);
});

test('too many pages of a host get none', async () => {
  for (let page = 0; page <= cardLimits.waitingMax + 1; page += 1) await publish(alice, `${url}?${page}`);
  expect([counts()['cards to fetch'], fetches().length]).toEqual([cardLimits.waitingMax, 1]);
});

test('many statuses are informed in slices', async () => {
  const ids: Id[] = [];
  for (let count = 0; count <= cardLimits.informedMax; count += 1) ids.push(await publish(alice));
  answer({ card });
  expect(ids.every((id) => shown(id) !== undefined)).toBe(true);
});

test('what is stored agrees', async () => {
  await publish(alice);
  answer({ card });
  const edited = await publish(bob);
  await server.call(Account.edit.to(bob.id, { ...plainPost('y'), statusId: edited }));
  await publish(bob, `${url}?other`);
  server.settle();
  expect(counts()).toMatchObject({ cards: 2, 'statuses with cards': 2, 'link timeline': 1 });
  // People of tests have ids of their own choice, and no e-mail addresses.
  const isOfNames = (rule: Rule) => 'keyspace' in rule && [logins, profiles].some((one) => rule.keyspace === one);
  assertSound(
    server.disks as readonly MemoryStore[],
    rules.filter((rule) => !isOfNames(rule)),
  );
});
