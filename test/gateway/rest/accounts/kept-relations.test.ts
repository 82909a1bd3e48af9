/**
 * Private state of accounts about others: notes, endorsements, blocked domains; and familiar followers (specification
 * 4.2, 4.10).
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { getFamiliarFollowers } from '../../../../src/gateway/rest/accounts/get-familiar-followers.ts';
import { getRelationships } from '../../../../src/gateway/rest/accounts/get-relationships.ts';
import { postNote } from '../../../../src/gateway/rest/accounts/note-account.ts';
import { postFollows } from '../../../../src/gateway/rest/accounts/post-follows.ts';
import { relationshipChangeEndpoints } from '../../../../src/gateway/rest/accounts/relationship-changes.ts';
import { updateCredentials } from '../../../../src/gateway/rest/accounts/update-credentials.ts';
import {
  deleteDomainBlock,
  getDomainBlocks,
  postDomainBlock,
} from '../../../../src/gateway/rest/domain-blocks/domain-blocks.endpoints.ts';
import {
  getEndorsements,
  getEndorsementsOfAccount,
} from '../../../../src/gateway/rest/endorsements/endorsements.endpoints.ts';
import { getContext } from '../../../../src/gateway/rest/interactions/get-context.ts';
import { getNotifications } from '../../../../src/gateway/rest/notifications/get-notifications.ts';
import { getStatus } from '../../../../src/gateway/rest/statuses/get-status.ts';
import { publicTimeline } from '../../../../src/gateway/rest/timelines/public-timeline.ts';
import { newPeople } from '../../../support/api-people.ts';
import { idsIn } from '../../../support/memory-api.ts';
import type { Person } from '../../../support/observer.ts';
import { presenting } from '../../../support/presenting.ts';
import { silentHost } from '../../../support/services.ts';

let { people, api, alice, bob } = await newPeople();
let carol: Person;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  carol = people.remote('carol', 'there.test');
});

const relation = async (by: Person, to: Person) => (await api.ask(getRelationships, by, { id: [`${to.id}`] })).body[0];
const change = (method: string, address: string) =>
  relationshipChangeEndpoints.find(({ path, methods }) => path === address && methods.some((name) => name === method))!;

test('a note is seen by its author alone, and an empty one takes it away', async () => {
  const { body } = await api.ask(postNote, alice, { id: bob.id, comment: 'met at the market' });
  expect(body).toMatchObject({ id: `${bob.id}`, note: 'met at the market' });
  expect([await relation(alice, bob), await relation(bob, alice)]).toMatchObject([
    { note: 'met at the market' },
    { note: '' },
  ]);
  expect((await api.ask(postNote, alice, { id: bob.id })).body).toMatchObject({ note: '' });
});

test.each([
  ['POST', '/api/v1/accounts/:id/endorse', 'POST', '/api/v1/accounts/:id/unendorse'],
  ['POST', '/api/v1/accounts/:id/pin', 'POST', '/api/v1/accounts/:id/unpin'],
  ['POST', '/api/v1/accounts/:id/endorse', 'DELETE', '/api/v1/accounts/:id/endorse'],
  ['POST', '/api/v1/accounts/:id/pin', 'DELETE', '/api/v1/accounts/:id/unpin'],
])('%s %s features an account that is followed, %s %s takes it back', async (method, verb, undoMethod, undo) => {
  await people.follow(alice, bob);
  expect((await api.ask(change(method, verb), alice, { id: bob.id })).body).toMatchObject({ endorsed: true });
  expect(idsIn((await api.ask(getEndorsements, alice)).body)).toEqual([`${bob.id}`]);
  const seenBy = async (by?: Person) => idsIn((await api.ask(getEndorsementsOfAccount, by, { id: alice.id })).body);
  expect([await seenBy(), await seenBy(bob)]).toEqual([[`${bob.id}`], [`${bob.id}`]]);
  expect((await api.ask(change(undoMethod, undo), alice, { id: bob.id })).body).toMatchObject({ endorsed: false });
  expect(await seenBy()).toEqual([]);
});

test('endorsements are kept from those whom their owner blocks, and are without those whom the viewer blocks', async () => {
  const dave = people.local('dave');
  for (const featured of [carol, dave]) {
    await people.follow(alice, featured);
    await api.ask(change('POST', '/api/v1/accounts/:id/endorse'), alice, { id: featured.id });
  }
  const seenBy = async (viewer: Person) =>
    idsIn((await api.ask(getEndorsementsOfAccount, viewer, { id: alice.id })).body);
  await people.block(bob, dave);
  expect(await seenBy(bob)).toEqual([`${carol.id}`]);
  await people.block(alice, bob);
  expect(await seenBy(bob)).toEqual([]);
});

describe('familiar followers', () => {
  const familiar = async (...targets: Person[]) => {
    const given = { id: targets.map(({ id }) => `${id}`) };
    const { body } = await api.ask<{ id: string; accounts: { username: string }[] }[]>(
      getFamiliarFollowers,
      alice,
      given,
    );
    return body.map(({ id, accounts }) => [id, accounts.map(({ username }) => username).sort()]);
  };

  test('are those whom the user follows and who follow the account, in the order of the request', async () => {
    const dave = people.local('dave');
    const erin = people.local('erin');
    for (const followed of [bob, dave, carol]) await people.follow(alice, followed);
    for (const follower of [alice, bob, carol, erin]) await people.follow(follower, dave);
    for (const follower of [dave, bob]) await people.follow(follower, erin);
    expect(await familiar(erin, dave, { ...bob, id: 5n }, bob)).toEqual([
      [`${erin.id}`, ['bob', 'dave']],
      [`${dave.id}`, ['bob', 'carol']],
      [`${bob.id}`, []],
    ]);
  });

  test('are none of those who hide whom they follow, and of an account that hides who follows it (specification 4.2)', async () => {
    for (const followed of [bob, carol]) await people.follow(alice, followed);
    const dave = people.local('dave');
    for (const follower of [bob, carol]) await people.follow(follower, dave);
    await api.ask(updateCredentials, bob, { hide_collections: true });
    expect(await familiar(dave)).toEqual([[`${dave.id}`, ['carol']]]);
    await api.ask(updateCredentials, dave, { hide_collections: true });
    expect(await familiar(dave)).toEqual([[`${dave.id}`, []]]);
  });
});

test('POST follows follows by handle, also a second time, and answers the account (specification 4.10)', async () => {
  for (let time = 0; time < 2; time += 1)
    expect((await api.ask(postFollows, alice, { uri: 'bob' })).body).toMatchObject({ id: `${bob.id}`, acct: 'bob' });
  expect(await relation(alice, bob)).toMatchObject({ following: { reblogs: true } });
  await expect(api.ask(postFollows, alice, { uri: 'nobody' })).rejects.toMatchObject({ code: 'notFound' });
  const silent = api.ask(postFollows, alice, { uri: `dora@${silentHost}` });
  await expect(silent).rejects.toMatchObject({ status: 503, message: 'Remote data could not be fetched' });
});

describe('hidden domains (specification 6.2)', () => {
  test('are listed and forgotten, whatever the case of their letters', async () => {
    expect((await api.ask(postDomainBlock, alice, { domain: 'There.TEST' })).body).toEqual({});
    await api.ask(postDomainBlock, alice, { domain: 'elsewhere.test' });
    const first = await api.ask(getDomainBlocks, alice, { limit: 1 });
    expect(first.body).toEqual(['elsewhere.test']);
    expect((await api.ask(getDomainBlocks, alice, first.links.next)).body).toEqual(['there.test']);
    expect([await relation(alice, carol), await relation(alice, bob)]).toMatchObject([
      { domain_blocking: true },
      { domain_blocking: false },
    ]);
    await api.ask(deleteDomainBlock, alice, { domain: 'there.test' });
    expect((await api.ask(getDomainBlocks, alice)).body).toEqual(['elsewhere.test']);
  });

  test('end follows in both directions', async () => {
    await people.follow(alice, carol);
    await people.follow(carol, alice);
    await api.ask(postDomainBlock, alice, { domain: 'there.test' });
    expect(await relation(alice, carol)).toMatchObject({ following: false, followed_by: false });
  });

  test('nothing of their accounts is shown in lists, threads and notifications, all of it at its own address', async () => {
    const services = presenting(people.server);
    const post = await people.publish(alice);
    const theirs = await people.receive(carol, 'https://there.test/1', { replyTo: post, mentions: [alice] });
    const reblog = await people.reblog(bob, theirs);
    const shown = async () => [
      idsIn((await api.ask(publicTimeline, alice)).body).includes(`${theirs.id}`),
      idsIn((await api.ask(getNotifications, alice)).body).length,
      (await api.ask(getContext, alice, { id: post.id })).body.descendants,
      services.presenter.page(BigUint64Array.of(theirs.id, reblog.id, post.id), alice.id, 'home').length,
    ];
    const before = await shown();
    expect(before).toMatchObject([false, 1, [{ id: `${theirs.id}` }], 3]);
    await api.ask(postDomainBlock, alice, { domain: 'there.test' });
    expect(await shown()).toEqual([false, 0, [], 1]);
    expect((await api.ask(getStatus, alice, { id: theirs.id })).body).toMatchObject({ id: `${theirs.id}` });
    await api.ask(deleteDomainBlock, alice, { domain: 'there.test' });
    expect(await shown()).toEqual(before);
  });
});
