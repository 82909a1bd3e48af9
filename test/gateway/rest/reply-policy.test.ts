/** Who may reply to a status, through the API: as its author says, with the names of GoToSocial or ours. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { updateCredentials } from '../../../src/gateway/rest/accounts/update-credentials.ts';
import { getPreferences } from '../../../src/gateway/rest/instance/get-preferences.ts';
import {
  getInteractionRequest,
  getInteractionRequests,
  postAuthorize,
  postReject,
} from '../../../src/gateway/rest/interaction-requests/interaction-requests.endpoints.ts';
import { getContext } from '../../../src/gateway/rest/interactions/get-context.ts';
import { putInteractionPolicy } from '../../../src/gateway/rest/quotes/quotes.endpoints.ts';
import { removeStatus } from '../../../src/gateway/rest/statuses/delete-status.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import { putStatus } from '../../../src/gateway/rest/statuses/put-status.ts';
import { newPeople } from '../../support/api-people.ts';
import type { Person } from '../../support/observer.ts';

type Entity = Record<string, unknown> & { id: string };

let { people, api, alice, bob, carol } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
});

const post = async (by: Person, given: object = {}) =>
  (await api.ask(postStatus, by, { status: 'Look', ...given })).body as Entity;
const reply = (by: Person, { id }: Entity) => post(by, { in_reply_to_id: id });
const show = async (viewer: Person | undefined, { id }: Entity) =>
  (await api.ask(getStatus, viewer, { id })).body as Entity;
const stateFor = async (viewer: Person | undefined, status: Entity) =>
  ((await show(viewer, status)).reply_approval as { current_user: string } | undefined)?.current_user;
const refusal = { code: 'validation', reason: 'mayNotReply' };

describe('a policy of replies', () => {
  test.each([
    ['followers', 'bob'],
    ['following', 'carol'],
    ['mentioned', 'dave'],
  ])('of %s lets them and its author reply, tells everybody whether they may, and nobody else is let in', async (policy, allowed) => {
    const dave = people.local('dave');
    await people.follow(bob, alice);
    await people.follow(alice, carol);
    const status = await post(alice, { status: '@dave look', reply_approval_policy: policy });
    const automatic = policy === 'mentioned' ? [] : [policy];
    expect(status).toMatchObject({
      reply_approval: { automatic, manual: [], current_user: 'automatic' },
      interaction_policy: {
        can_favourite: { automatic_approval: ['public'], manual_approval: [] },
        can_reply: { automatic_approval: ['author', 'mentioned', ...automatic], manual_approval: [] },
      },
    });
    for (const [name, person] of Object.entries({ alice, bob, carol, dave })) {
      const may = ['alice', 'dave', allowed].includes(name);
      expect([name, await stateFor(person, status)]).toEqual([name, may ? 'automatic' : 'denied']);
      const answer = reply(person, status);
      if (may) expect(await answer).toMatchObject({ in_reply_to_id: status.id });
      else await expect(answer).rejects.toMatchObject(refusal);
    }
    expect(await stateFor(undefined, status)).toBe('denied');
    people.expectSound();
  });

  test('is not shown where everybody may reply', async () => {
    const status = await post(alice, { reply_approval_policy: 'public' });
    expect([status.reply_approval, status.interaction_policy]).toEqual([undefined, undefined]);
    expect(await reply(bob, status)).toMatchObject({ in_reply_to_id: status.id });
  });

  test('leaves whom the post answers their say', async () => {
    const question = await post(bob);
    const answer = await post(alice, { in_reply_to_id: question.id, reply_approval_policy: 'mentioned' });
    expect(await reply(bob, answer)).toMatchObject({ in_reply_to_id: answer.id });
    await expect(reply(carol, answer)).rejects.toMatchObject(refusal);
  });

  test('follows a follow at once', async () => {
    const status = await post(alice, { reply_approval_policy: 'followers' });
    expect(await stateFor(bob, status)).toBe('denied');
    await people.follow(bob, alice);
    expect(await stateFor(bob, status)).toBe('automatic');
  });

  test('is changed by its author, also by an edit, and earlier replies stay', async () => {
    const status = await post(alice);
    const first = await reply(bob, status);
    const { id } = status;
    const { body } = await api.ask(putInteractionPolicy, alice, { id, reply_approval_policy: 'mentioned' });
    expect(body).toMatchObject({ replies_count: 1, edited_at: null, reply_approval: { automatic: [] } });
    expect(await show(bob, first)).toMatchObject({ in_reply_to_id: id });
    await expect(reply(bob, status)).rejects.toMatchObject(refusal);
    await api.ask(putStatus, alice, { id, status: 'Look', reply_approval_policy: 'public' });
    expect(await stateFor(bob, status)).toBeUndefined();
    const edited = await api.ask(putStatus, alice, { id, status: 'Other', reply_approval_policy: 'following' });
    expect(edited.body).toMatchObject({ edited_at: expect.any(String), reply_approval: { automatic: ['following'] } });
    await api.ask(putStatus, alice, { id, status: 'Kept' });
    expect(await stateFor(bob, status)).toBe('denied');
    await expect(api.ask(putInteractionPolicy, alice, { id })).rejects.toMatchObject({ code: 'validation' });
    await expect(api.ask(putInteractionPolicy, bob, { id, reply_approval_policy: 'public' })).rejects.toMatchObject({
      code: 'notFound',
    });
    people.expectSound();
  });

  test('is decided by its author in the end: a reply that comes after the change is no reply', async () => {
    const status = await post(alice);
    const answer = await post(bob, { in_reply_to_id: status.id });
    const replied = {
      by: bob.id,
      statusId: BigInt(status.id),
      replyId: BigInt(answer.id),
      visibility: 'public' as const,
    };
    await people.server.call(Account.replyRemoved.to(alice.id, replied));
    await api.ask(putInteractionPolicy, alice, { id: status.id, reply_approval_policy: 'mentioned' });
    await people.server.call(Account.repliedTo.to(alice.id, replied));
    people.server.settle();
    expect(await show(bob, answer)).toMatchObject({ in_reply_to_id: null, in_reply_to_account_id: `${alice.id}` });
    expect(await show(bob, status)).toMatchObject({ replies_count: 0 });
    people.expectSound();
  });

  test.each<[object, string[] | undefined, string[]?]>([
    [{ can_reply: { automatic_approval: ['public'] } }, undefined],
    [{ can_reply: { automatic_approval: ['author', 'mentioned', 'followers'] } }, ['followers']],
    [{ can_reply: { always: ['following'], with_approval: [] } }, ['following']],
    [{ can_reply: { automatic_approval: ['author'] } }, []],
    [{ can_favourite: { automatic_approval: ['public'] } }, undefined],
    [{ can_reply: { automatic_approval: ['author'], manual_approval: ['public'] } }, [], ['public']],
    [{ can_reply: { always: ['author', 'followers'], with_approval: ['public'] } }, ['followers'], ['public']],
  ])('is read from %j', async (interaction_policy, automatic, manual = []) => {
    const { reply_approval: shown } = await post(alice, { interaction_policy });
    expect(shown).toEqual(automatic && { automatic, manual, current_user: 'automatic' });
  });

  test.each([
    [{ can_reply: { automatic_approval: ['followers', 'following'] } }],
    [{ can_reply: { automatic_approval: ['mutuals'] } }],
    [{ can_reply: { automatic_approval: ['author'], manual_approval: ['followers'] } }],
  ])('is refused as %j, and nothing is posted', async (interaction_policy) => {
    await expect(post(alice, { interaction_policy })).rejects.toMatchObject({ code: 'validation' });
    expect(people.statusEntries(alice)).toEqual([]);
  });

  test('is by default what the account prefers', async () => {
    await api.ask(updateCredentials, alice, { source: { reply_policy: 'followers' } });
    expect((await api.ask(getPreferences, alice, {})).body).toMatchObject({
      'posting:default:reply_policy': 'followers',
    });
    expect(await post(alice)).toMatchObject({ reply_approval: { automatic: ['followers'] } });
    expect((await post(alice, { reply_approval_policy: 'public' })).reply_approval).toBeUndefined();
    expect((await post(alice, { visibility: 'direct' })).reply_approval).toBeUndefined();
  });
});

describe('a reply that needs consent', () => {
  const waiting = async (by: Person, given: Record<string, unknown> = {}) =>
    (await api.ask(getInteractionRequests, by, given)).body as unknown as readonly Entity[];
  const ids = async (by: Person) => (await waiting(by)).map(({ id }) => id);
  const answers = async (viewer: Person | undefined, { id }: Entity) =>
    ((await api.ask(getContext, viewer, { id })).body as { descendants: Entity[] }).descendants.map((one) => one.id);
  const told = (by: Person) => people.notificationsOf(by).map(({ type, statusId }) => [type, `${statusId}`]);

  async function held(policy = 'approved', given: object = {}) {
    const status = await post(alice, { reply_approval_policy: policy });
    const answer = await post(bob, { status: '@carol look #tag', in_reply_to_id: status.id, ...given });
    return { status, answer };
  }

  test('is seen by its author and by whoever is asked, until that one agrees', async () => {
    const { status, answer } = await held();
    expect(status).toMatchObject({
      reply_approval: { automatic: [], manual: ['public'] },
      interaction_policy: { can_reply: { manual_approval: ['public'] } },
    });
    expect(answer).toMatchObject({ in_reply_to_id: status.id, reply_state: 'pending', visibility: 'private' });
    const asked = await waiting(alice);
    expect(asked).toMatchObject([
      { id: answer.id, type: 'reply', status: { id: status.id }, reply: { id: answer.id, reply_state: 'pending' } },
    ]);
    expect((await api.ask(getInteractionRequest, alice, { id: answer.id })).body).toEqual(asked[0]);
    expect([told(alice), told(carol)]).toEqual([[['mention', answer.id]], []]);
    for (const viewer of [carol, undefined]) {
      await expect(show(viewer, answer)).rejects.toMatchObject({ code: 'notFound' });
      expect(await answers(viewer, status)).toEqual([]);
    }
    expect(await show(alice, answer)).toMatchObject({ reply_state: 'pending' });
    expect(await show(bob, status)).toMatchObject({ replies_count: 0 });
    const refused = { code: 'validation', reason: 'replyIsHeld' };
    await expect(reply(alice, answer)).rejects.toMatchObject(refused);
    await expect(api.ask(putStatus, bob, { id: answer.id, status: 'Other' })).rejects.toMatchObject(refused);
    await expect(api.ask(postAuthorize, bob, { id: answer.id })).rejects.toMatchObject({ code: 'notFound' });

    const { body } = await api.ask(postAuthorize, alice, { id: answer.id });
    expect(body).toMatchObject({
      id: answer.id,
      accepted_at: expect.any(String),
      uri: expect.stringContaining(answer.id),
    });
    const shown = await show(carol, answer);
    expect(shown).toMatchObject({ visibility: 'public', in_reply_to_id: status.id, mentions: [{ username: 'carol' }] });
    expect(shown.reply_state).toBeUndefined();
    expect([await answers(carol, status), await ids(alice), told(carol)]).toEqual([
      [answer.id],
      [],
      [['mention', answer.id]],
    ]);
    expect(await show(undefined, status)).toMatchObject({ replies_count: 1 });
    await expect(api.ask(postAuthorize, alice, { id: answer.id })).rejects.toMatchObject({ code: 'notFound' });
    people.expectSound();
  });

  test('stays with its author where it is refused', async () => {
    const { status, answer } = await held();
    const { body } = await api.ask(postReject, alice, { id: answer.id });
    expect(body).toMatchObject({ id: answer.id, rejected_at: expect.any(String) });
    expect(await show(bob, answer)).toMatchObject({ reply_state: 'rejected' });
    await expect(show(alice, answer)).rejects.toMatchObject({ code: 'notFound' });
    expect([await ids(alice), told(alice), await answers(alice, status)]).toEqual([[], [], []]);
    people.expectSound();
  });

  test('leaves the thread when consent is taken back, and nobody else can do that', async () => {
    const { status, answer } = await held();
    await api.ask(postAuthorize, alice, { id: answer.id });
    await expect(api.ask(postReject, carol, { id: answer.id })).rejects.toMatchObject({ code: 'notFound' });
    await api.ask(postReject, alice, { id: answer.id });
    people.server.settle();
    expect([await answers(bob, status), await show(bob, status)]).toMatchObject([[], { replies_count: 0 }]);
    expect(await show(bob, answer)).toMatchObject({ in_reply_to_id: null, visibility: 'public' });
    people.expectSound();
  });

  test('is needed of strangers alone where followers may', async () => {
    await people.follow(bob, alice);
    const { status, answer } = await held('followers_or_approved');
    expect([answer.reply_state, await ids(alice)]).toEqual([undefined, []]);
    const other = await reply(carol, status);
    expect([await stateFor(carol, status), other.reply_state]).toEqual(['manual', 'pending']);
    expect(await ids(alice)).toEqual([other.id]);
    people.expectSound();
  });

  test.each<[string, (ends: { status: Entity; answer: Entity }) => Promise<unknown>, string[]]>([
    ['it is deleted', ({ answer }) => api.ask(removeStatus, bob, { id: answer.id }), []],
    ['what it answers is deleted', ({ status }) => api.ask(removeStatus, alice, { id: status.id }), ['rejected']],
    ['its author is blocked', () => people.server.call(Account.block.to(alice.id, { targetId: bob.id })), ['rejected']],
    ['its time is over', async () => people.server.clock.advance(91 * 24 * 60 * 60 * 1000), ['rejected']],
  ])('waits no more when %s', async (_what, end, left) => {
    const ends = await held();
    await end(ends);
    people.server.settle();
    expect([await ids(alice), told(alice)]).toEqual([[], []]);
    const states = left.length === 0 ? [] : [(await show(bob, ends.answer)).reply_state];
    expect(states).toEqual(left);
    people.expectSound();
  });

  test('comes in pages, of one status where that is asked for', async () => {
    const { status, answer } = await held();
    const other = await held();
    expect(await ids(alice)).toEqual([other.answer.id, answer.id]);
    expect((await waiting(alice, { limit: 1, max_id: other.answer.id })).map(({ id }) => id)).toEqual([answer.id]);
    expect((await waiting(alice, { status_id: status.id })).map(({ id }) => id)).toEqual([answer.id]);
    expect(await waiting(alice, { replies: false })).toEqual([]);
    const nothing = { favourites: false, replies: false, reblogs: false };
    await expect(waiting(alice, nothing)).rejects.toMatchObject({ code: 'validation' });
  });

  test('keeps to its visibility, and cannot quote', async () => {
    const quoted = await post(bob);
    await expect(held('approved', { quoted_status_id: quoted.id })).rejects.toMatchObject({ reason: 'heldWithQuote' });
    const { status, answer } = await held('approved', { visibility: 'direct', status: '@alice look' });
    await api.ask(postAuthorize, alice, { id: answer.id });
    expect(await show(alice, answer)).toMatchObject({ visibility: 'direct' });
    await expect(show(carol, answer)).rejects.toMatchObject({ code: 'notFound' });
    expect(await show(carol, status)).toMatchObject({ replies_count: 0 });
    people.expectSound();
  });
});
