/** The pages of notification requests: filtered senders, answering requests, and the policy. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { addNotification } from '../../../src/actors/account/notifications/notify.ts';
import { addAccount } from '../../support/sign-up.ts';
import { type Person, Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

let site: Site;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  site = new Site();
  [alice, bob] = [await site.person('alice'), await site.person('bob')];
  await alice.act('/web/notifications/policy', { forNotFollowing: 'filter' });
});

const page = '/notifications/requests';
const entries = async () => {
  const { html } = await alice.ask(page);
  return [...html.matchAll(/<li class="entry person">.*?<\/li>/gs)].map(([entry]) =>
    textOf(entry).replace(/^.*(@\S+) .*?(\d+\+? posts?).*$/, '$1 $2'),
  );
};
const idOf = async () => /\/notifications\/requests\/(\d+)"/.exec((await alice.ask(page)).html)?.[1];
const isListed = async (words: string) => textOf((await alice.ask('/notifications')).html).includes(words);

test('people are named with what they want, which is not among the notifications', async () => {
  await bob.write('Hello @alice');
  await bob.write('Are you there, @alice?');
  expect(await isListed('Hello')).toBe(false);
  expectStrict(await alice.ask(page));
  expect(await entries()).toEqual(['@bob 2 posts']);
  expect(textOf((await alice.ask('/notifications')).html)).toContain('Requests (1)');
  const one = await alice.ask(`${page}/${await idOf()}`);
  expectStrict(one);
  expect(textOf(one.html)).toMatch(/Are you there.*Hello/);
});

test.each([
  ['accept', true],
  ['dismiss', false],
])('a request is answered without a script: %s', async (word, isShown) => {
  await bob.write('Hello @alice');
  const id = await idOf();
  expect((await alice.ask(page)).html).toContain(`form="acts" formaction="/web/notification-requests/${id}/${word}"`);
  const answer = await alice.act(`/web/notification-requests/${id}/${word}`, { return_to: `${page}/${id}` });
  expect([answer.status, answer.location]).toEqual([303, page]);
  expect([await entries(), await isListed('Hello')]).toEqual([[], isShown]);
  expect((await alice.act(`/web/notification-requests/${id}/${word}`)).status).toBe(404);
  await bob.write('Once more, @alice');
  expect(await isListed('Once more')).toBe(isShown);
});

test('nobody answers for somebody else, or without the token of the form', async () => {
  await bob.write('Hello @alice');
  const id = await idOf();
  for (const word of ['accept', 'dismiss']) {
    const path = `/web/notification-requests/${id}/${word}`;
    expect((await bob.act(path)).status).toBe(404);
    expect((await alice.ask(path, { form: { form_token: 'guessed' } })).status).toBe(403);
    expect((await site.stranger.ask(path, { form: {} })).location).toContain('/auth/sign_in');
  }
  expect((await bob.ask(`${page}/${id}`)).status).toBe(404);
  expect((await alice.ask(`${page}/word`)).status).toBe(404);
  expect((await site.stranger.ask(`${page}/${id}`)).location).toContain('/auth/sign_in');
  expect((await site.stranger.ask(page)).location).toContain('/auth/sign_in');
  expect(await entries()).toEqual(['@bob 1 post']);
});

test('the policy is shown as it is, and changed by its form', async () => {
  const chosen = async () =>
    [...(await alice.ask(page)).html.matchAll(/<select name="(\w+)".*?<option value="(\w+)" selected>/gs)].map(
      ([, rule, treatment]) => `${rule} ${treatment}`,
    );
  expect(await chosen()).toEqual([
    'forNotFollowing filter',
    'forNotFollowers accept',
    'forNewAccounts accept',
    'forPrivateMentions accept',
    'forLimitedAccounts filter',
    'forBots accept',
  ]);
  const answer = await alice.act('/web/notifications/policy', {
    forNotFollowing: 'accept',
    forBots: 'drop',
    forNewAccounts: 'nonsense',
  });
  expect(answer.location).toBe(`${page}?done=policy`);
  expect((await alice.ask(answer.location!)).html).toContain('role="status"');
  expect(await chosen()).toEqual(
    expect.arrayContaining(['forNotFollowing accept', 'forBots drop', 'forNewAccounts accept']),
  );
  await bob.write('Hello @alice');
  expect([await entries(), await isListed('Hello')]).toEqual([[], true]);
});

test('more of them are on a further page', async () => {
  const { actors } = site.gateway;
  const senders: bigint[] = [];
  for (let number = 0; number < 41; number += 1) senders.push(await addAccount(actors, `person${number}`));
  actors.turn(Account.actor, alice.id, (turn) => {
    for (const fromId of senders) addNotification(turn, { type: 'mention', fromId });
  });
  expect(await entries()).toHaveLength(40);
  const { html } = await alice.ask(page);
  const older = /rel="next" href="(\?max_id=\d+)"/.exec(html)![1]!;
  expect((await alice.ask(page + older)).html.match(/<li class="entry person">/g)).toHaveLength(1);
});
