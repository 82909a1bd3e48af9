/** Trending links: articles that several accounts link to, with half the weight per day. */

import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { Card } from '../../../src/actors/account/cards/cards.records.ts';
import type { PublishStatus } from '../../../src/actors/account/statuses/statuses.messages.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { fetchCard } from '../../../src/actors/domain/cards/cards.effects.ts';
import { trendEndpoints } from '../../../src/gateway/rest/trends/trends.endpoints.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { createTestServer } from '../../support/actors.ts';
import { MemoryApi } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { plainPost } from '../../support/plain-post.ts';

const links = trendEndpoints.find(({ path }) => path === '/api/v1/trends/links')!;
/** Pages of which the card was fetched. */
let answered = 0;
let written: Id[] = [];

const hourMilliseconds = 60 * 60 * 1_000;

let people: People;
let api: MemoryApi;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(() => {
  people = new People(createTestServer({ actors, keyspaces }));
  api = new MemoryApi(people.server);
  [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => people.local(name)) as [Person, Person, Person];
  answered = 0;
  written = [];
});

const addressOf = (name: string) => `https://${name}.example/`;

function articleAt(name: string): Card {
  const url = addressOf(name);
  const said = { title: name, description: 'x', providerName: 'The Aviary', image: `${url}a.png` };
  return { url, isArticle: true, ...said };
}

/** The authors link to the page; the card comes later, as always. */
async function link(authors: readonly Person[], name: string, more: Partial<PublishStatus> = {}, card?: Partial<Card>) {
  const { server } = people;
  for (const author of authors) {
    server.clock.advance(1_000);
    const { statusId } = await server.call(
      Account.publish.to(author.id, plainPost('x', { link: addressOf(name), ...more })),
    );
    server.settle();
    const fetches = server.effects.filter(({ effect }) => effect === fetchCard.number);
    if (fetches.length > answered)
      fetches.at(-1)!.answer({ url: addressOf(name), card: { ...articleAt(name), ...card } });
    server.settle();
    answered = fetches.length;
    written.push(statusId);
  }
}

interface Shown {
  readonly title: string;
  readonly url: string;
  readonly history: readonly { readonly uses: string; readonly accounts: string }[];
}
const trending = async (given = {}) => (await api.ask<Shown[]>(links, undefined, given)).body;
const titles = async (given = {}) => (await trending(given)).map(({ title }) => title);

test('count accounts, each once; one alone makes no trend', async () => {
  await link([alice, alice, alice], 'alone');
  await link([alice, bob, bob], 'both');
  await link([alice, bob, carol], 'all');
  expect(await titles()).toEqual(['all', 'both']);
  expect(await titles({ limit: 1 })).toEqual(['all']);
  expect(await titles({ offset: 1 })).toEqual(['both']);
  const [, both] = await trending();
  expect(both).toMatchObject({ url: addressOf('both'), history: { 0: { uses: '3', accounts: '2' }, length: 7 } });
});

test('weigh half as much after a day, and nothing after seven', async () => {
  await link([alice, bob, carol], 'yesterday');
  people.server.clock.advance(25 * hourMilliseconds);
  await link([alice, bob], 'today');
  expect(await titles()).toEqual(['today', 'yesterday']);
  people.server.clock.advance(6 * 24 * hourMilliseconds);
  expect(await titles()).toEqual(['today']);
});

test.each<[string, Partial<PublishStatus>, Partial<Card>]>([
  ['in private', { visibility: 'unlisted' }, {}],
  ['behind a warning', { spoilerText: 'x' }, {}],
  ['with sensitive text', { sensitive: true }, {}],
  ['to no article', {}, { isArticle: undefined }],
  ['to a page that wants to stay unlisted', {}, { isUnlisted: true }],
  ['to a film', {}, { type: 'video' }],
  ['without a picture', {}, { image: undefined }],
  ['without a description', {}, { description: '' }],
  ['without a publisher', {}, { providerName: undefined }],
])('links %s do not trend', async (_what, more, card) => {
  await link([alice, bob], 'hidden', more, card);
  await link([alice, bob], 'shown');
  expect(await titles()).toEqual(['shown']);
});

test('do not count what silenced accounts write', async () => {
  people.moderate(carol, { limited: true });
  await link([alice, carol], 'silenced');
  await link([alice, bob, carol], 'birds');
  const [birds, ...others] = await trending();
  expect([birds!.title, others]).toEqual(['birds', []]);
  expect(birds!.history[0]).toMatchObject({ uses: '2', accounts: '2' });
});

test('what is deleted, or hidden behind a warning later, trends no more', async () => {
  const { server } = people;
  await link([alice, bob], 'gone');
  await link([alice, bob], 'warned');
  await link([alice, bob], 'birds');
  expect(await titles()).toEqual(['birds', 'warned', 'gone']);
  const [, gone, , warned] = written;
  await server.call(Account.deleteStatus.to(bob.id, { statusId: gone!, destinations: [] }));
  const edited = { ...plainPost('x', { link: addressOf('warned') }), spoilerText: 'birds', statusId: warned! };
  await server.call(Account.edit.to(bob.id, edited));
  server.settle();
  server.clock.advance(10_000);
  expect(await titles()).toEqual(['birds']);
});
