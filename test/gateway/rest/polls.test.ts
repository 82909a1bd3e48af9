/** Polls through the API (behaviour of the Mastodon API; specification 4.10 and 5). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { choicesAmong } from '../../../src/actors/account/polls/polls.queries.ts';
import { pollVotes } from '../../../src/actors/account/polls/polls.state.ts';
import type { Destination } from '../../../src/actors/intents.ts';
import { postMute } from '../../../src/gateway/rest/interactions/status-changes.ts';
import { getPoll, postVotes } from '../../../src/gateway/rest/polls/polls.endpoints.ts';
import { removeStatus } from '../../../src/gateway/rest/statuses/delete-status.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import { getStatusHistory } from '../../../src/gateway/rest/statuses/get-status-history.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import { putStatus } from '../../../src/gateway/rest/statuses/put-status.ts';
import { publicTimeline } from '../../../src/gateway/rest/timelines/public-timeline.ts';
import { parseId } from '../../../src/runtime/ids.ts';
import { newPeople } from '../../support/api-people.ts';
import type { Person } from '../../support/observer.ts';

const hour = 3_600;

let { people, api, alice, bob, carol } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
});

const asked = { options: ['Tea', 'Coffee', 'Water'], expires_in: hour };

async function ask(poll: object = {}, more: object = {}): Promise<string> {
  const { body } = await api.ask(postStatus, alice, { status: 'What?', poll: { ...asked, ...poll }, ...more });
  return String(body.id);
}

const pollOf = async (id: string, viewer: Person | undefined) => (await api.ask(getPoll, viewer, { id })).body;
const inStatus = async (id: string, viewer: Person | undefined) =>
  (await api.ask(getStatus, viewer, { id })).body.poll as Record<string, unknown>;
const vote = async (id: string, by: Person, ...choices: number[]) =>
  (await api.ask(postVotes, by, { id, choices: choices.map(String) })).body;
const refused = (words: string) => ({ code: 'validation', message: `Validation failed: ${words}` });
const heard = (person: Person) => people.notificationsOf(person).map(({ type, fromId }) => [type, fromId]);
const endsHeard = (person: Person) => heard(person).filter(([type]) => type === 'poll');
const edit = (id: string, given: object) => api.ask(putStatus, alice, { id, status: 'What?', ...given });
const expires = () => new Date(people.server.clock.now() + hour * 1_000).toISOString();

describe('a poll', () => {
  test('stands in its status, with nobody having voted', async () => {
    const { body } = await api.ask(postStatus, alice, {
      status: 'What?',
      poll: { ...asked, options: [' Tea ', 'No', ''] },
    });
    const { id } = body;
    const open = {
      id,
      expires_at: expires(),
      expired: false,
      multiple: false,
      votes_count: 0,
      voters_count: null,
      options: [
        { title: 'Tea', votes_count: 0 },
        { title: 'No', votes_count: 0 },
      ],
      emojis: [],
    };
    expect(body.poll).toEqual({ ...open, voted: true, own_votes: [] });
    for (const seen of [inStatus, pollOf]) {
      expect(await seen(String(id), undefined)).toEqual(open);
      expect(await seen(String(id), bob)).toEqual({ ...open, voted: false, own_votes: [] });
      expect(await seen(String(id), alice)).toEqual({ ...open, voted: true, own_votes: [] });
    }
  });

  test.each<[string, object, string]>([
    ['one option', { options: ['a'] }, 'Poll options must have more than one item'],
    ['no options', { options: undefined }, 'Poll options must have more than one item'],
    ['blank options', { options: ['a', ' ', '\u0000'] }, 'Poll options must have more than one item'],
    ['five options', { options: [...'abcde'] }, "Poll options can't contain more than 4 items"],
    ['51 characters', { options: ['a', 'x'.repeat(51)] }, 'Poll options cannot be longer than 50 characters each'],
    ['an option twice', { options: ['a', 'b', ' a'] }, 'Poll options contain duplicate items'],
    ['no end', { expires_in: undefined }, "Poll expires at can't be blank"],
    ['no end, written as null', { expires_in: null }, "Poll expires at can't be blank"],
    ['no end, written as nothing', { expires_in: '' }, "Poll expires at can't be blank"],
    ['an end too far away', { expires_in: 2_629_747 }, 'Poll expires at is too far into the future'],
    ['an end too near', { expires_in: 299 }, 'Poll expires at is too soon'],
    ['an end in the past', { expires_in: -1 }, 'Poll expires at is too soon'],
  ])('of %s is refused, and nothing is published', async (_what, poll, words) => {
    await expect(ask(poll)).rejects.toMatchObject(refused(words));
    expect(people.statusEntries(alice)).toEqual([]);
  });

  test('needs a text beside it', async () => {
    await expect(ask({}, { status: '' })).rejects.toMatchObject(refused("Text can't be blank"));
  });
});

describe('a vote', () => {
  test('counts once, for everybody at once, wherever the status is shown', async () => {
    const id = await ask();
    expect(await pollOf(id, carol)).toMatchObject({ votes_count: 0 });
    expect(await vote(id, bob, 1)).toMatchObject({ id, votes_count: 1, voted: true, own_votes: [1] });
    expect(await vote(id, carol, 1)).toMatchObject({ votes_count: 2 });
    await expect(vote(id, bob, 2)).rejects.toMatchObject(refused('You have already voted on this poll'));
    const options = [0, 2, 0].map((votes_count) => expect.objectContaining({ votes_count }));
    for (const seen of [inStatus, pollOf]) {
      expect(await seen(id, bob)).toMatchObject({ votes_count: 2, options, voted: true, own_votes: [1] });
      expect(await seen(id, undefined)).toMatchObject({ votes_count: 2, voters_count: null, options });
    }
    const [shown] = (await api.ask<{ poll: object; reblog: null }[]>(publicTimeline, carol)).body;
    expect(shown).toMatchObject({ poll: { own_votes: [1] }, reblog: null, muted: false, filtered: [] });
  });

  test('in a poll of several choices may be for some of them, and counts one voter', async () => {
    const id = await ask({ multiple: true });
    expect(await vote(id, bob, 2, 0, 2)).toMatchObject({ votes_count: 2, voters_count: 1, own_votes: [0, 2] });
    expect(await vote(id, carol, 0)).toMatchObject({ votes_count: 3, voters_count: 2, own_votes: [0] });
    await expect(vote(id, bob, 1)).rejects.toMatchObject(refused('You have already voted on this poll'));
  });

  test.each<[string, number[], string]>([
    ['for an option that there is not', [3], 'The chosen vote option does not exist'],
    ['for a negative option', [-1], 'The chosen vote option does not exist'],
    ['for nothing', [], "Choices can't be blank"],
    ['for two of one', [0, 1], 'You have already voted on this poll'],
  ])('%s is refused, and counts nothing', async (_what, choices, words) => {
    const id = await ask();
    const voting = api.ask(postVotes, bob, choices.length === 0 ? { id } : { id, choices: choices.map(String) });
    await expect(voting).rejects.toMatchObject(refused(words));
    expect(await pollOf(id, bob)).toMatchObject({ votes_count: 0, voted: false, own_votes: [] });
  });

  test("in one's own poll is refused", async () => {
    const id = await ask();
    await expect(vote(id, alice, 0)).rejects.toMatchObject(refused('You cannot vote in your own polls'));
  });

  test('comes too late after the end', async () => {
    const id = await ask();
    people.server.clock.advance(hour * 1_000);
    await expect(vote(id, bob, 0)).rejects.toMatchObject(refused('The poll has already ended'));
  });

  test('through a reblog is one in the original', async () => {
    const id = await ask();
    const reblog = await people.reblog(bob, { id: parseId(id)!, author: alice });
    expect(await vote(`${reblog.id}`, bob, 0)).toMatchObject({ id, votes_count: 1 });
    const { body } = await api.ask(getStatus, bob, { id: reblog.id });
    expect(body).toMatchObject({ poll: null, reblog: { poll: { own_votes: [0], voted: true }, reblog: null } });
  });
});

describe('who may see the status sees its poll (specification 5)', () => {
  test.each(['private', 'direct'])('of a %s one nobody else: 404, with and without a token', async (visibility) => {
    const id = await ask({}, { visibility });
    expect(await pollOf(id, alice)).toMatchObject({ id, voted: true });
    expect(await inStatus(id, alice)).toMatchObject({ id, voted: true, own_votes: [] });
    for (const viewer of [undefined, bob]) await expect(pollOf(id, viewer)).rejects.toMatchObject({ code: 'notFound' });
    await expect(vote(id, bob, 0)).rejects.toMatchObject({ code: 'notFound' });
  });

  test('of a status without a poll there is none', async () => {
    const post = await people.publish(alice);
    await expect(pollOf(`${post.id}`, alice)).rejects.toMatchObject({ code: 'notFound' });
    await expect(vote(`${post.id}`, bob, 0)).rejects.toMatchObject({ code: 'notFound' });
  });

  test('a block ends voting', async () => {
    const id = await ask();
    await people.block(alice, bob);
    await expect(vote(id, bob, 0)).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('the end', () => {
  test('closes the poll and notifies the author and the voters, once', async () => {
    const id = await ask();
    await vote(id, bob, 0);
    people.server.clock.advance(hour * 1_000 - 1);
    expect([await pollOf(id, bob), heard(alice)]).toMatchObject([{ expired: false }, []]);
    people.server.clock.advance(1);
    expect(await inStatus(id, bob)).toMatchObject({ expired: true, voted: true });
    people.server.clock.advance(2 * hour * 1_000);
    expect([alice, bob, carol].map(heard)).toEqual([[['poll', alice.id]], [['poll', alice.id]], []]);
    expect(people.shownNotifications(bob)).toMatchObject([{ type: 'poll', fromId: alice.id }]);
  });

  test('notifies any number of voters', async () => {
    const id = await ask();
    const voters: Person[] = [];
    for (let number = 0; number < 405; number += 1) {
      const voter = people.local(`voter_${number}`, { partition: 1 });
      voters.push(voter);
      const message = { statusId: parseId(id)!, by: voter.id, choices: [0] };
      await people.server.call(Account.vote.to(alice.id, message));
    }
    people.server.clock.advance(hour * 1_000);
    expect(voters.every((voter) => heard(voter).length === 1)).toBe(true);
  });

  test('shows totals that were hidden before', async () => {
    const id = await ask({ hide_totals: true });
    await vote(id, bob, 1);
    const hidden = [null, null, null].map((votes_count) => expect.objectContaining({ votes_count }));
    for (const viewer of [alice, bob, undefined])
      expect(await inStatus(id, viewer)).toMatchObject({ votes_count: 1, options: hidden });
    people.server.clock.advance(hour * 1_000);
    expect(await inStatus(id, undefined)).toMatchObject({ options: [{}, { votes_count: 1 }, {}] });
  });
});

describe('an edit', () => {
  test.each<[string, object]>([
    ['other options', { options: ['Tea', 'Juice', 'Water'] }],
    ['several choices', { multiple: true }],
  ])('to %s begins anew', async (_what, change) => {
    const id = await ask();
    await vote(id, bob, 0);
    await edit(id, { poll: { ...asked, ...change } });
    expect(await inStatus(id, bob)).toMatchObject({ votes_count: 0, voted: false, own_votes: [] });
    expect(await vote(id, bob, 1)).toMatchObject({ votes_count: 1, own_votes: [1] });
    expect(choicesAmong(people.server.read, bob.id, [parseId(id)!])).toEqual([[1]]);
    expect(people.notificationsOf(bob)).toContainEqual({ type: 'update', fromId: alice.id, statusId: parseId(id) });
  });

  test('lets a former voter vote anew before the former votes are all dropped', async () => {
    const id = await ask();
    await vote(id, bob, 0);
    const [statusId, voter] = [parseId(id)!, bob.id];
    const former = people.server.read.get(pollVotes, [statusId, voter])!;
    await edit(id, { poll: { ...asked, multiple: true } });
    people.server.turn(Account.actor, alice.id, (turn) => turn.put(pollVotes, [statusId, voter], former));
    expect(await vote(id, bob, 1)).toMatchObject({ votes_count: 1, own_votes: [1] });
  });

  test('of the text alone keeps the votes, and the end that is given now', async () => {
    const id = await ask();
    await vote(id, bob, 0);
    people.server.clock.advance(60_000);
    await edit(id, { status: 'Which?', poll: asked });
    expect(await inStatus(id, bob)).toMatchObject({ votes_count: 1, own_votes: [0], expires_at: expires() });
  });

  test('of the end alone is no edit of the status, and moves the end', async () => {
    const id = await ask();
    await vote(id, bob, 0);
    const { body } = await edit(id, { poll: { ...asked, expires_in: 2 * hour } });
    expect(body).toMatchObject({ edited_at: null, poll: { votes_count: 1 } });
    people.server.clock.advance(hour * 1_000);
    expect([await pollOf(id, bob), heard(bob)]).toMatchObject([{ expired: false }, []]);
    people.server.clock.advance(hour * 1_000);
    expect([await pollOf(id, bob), heard(bob).length]).toMatchObject([{ expired: true }, 1]);
  });

  test('of one that has ended opens it again, and its next end is told to those who have voted since', async () => {
    const id = await ask();
    await vote(id, bob, 0);
    people.server.clock.advance(hour * 1_000);
    expect(heard(bob)).toHaveLength(1);
    await edit(id, { poll: asked });
    expect(await pollOf(id, bob)).toMatchObject({ expired: false, votes_count: 1, own_votes: [0] });
    expect(await vote(id, carol, 1)).toMatchObject({ votes_count: 2 });
    people.server.clock.advance(hour * 1_000);
    expect(await pollOf(id, bob)).toMatchObject({ expired: true, votes_count: 2 });
    expect([alice, bob, carol].map((person) => heard(person).length)).toEqual([1, 1, 1]);
    await edit(id, { poll: { ...asked, options: ['Tea', 'Juice'] } });
    await vote(id, bob, 1);
    people.server.clock.advance(hour * 1_000);
    expect([alice, bob, carol].map((person) => endsHeard(person).length)).toEqual([2, 2, 1]);
  });

  test('to an earlier end closes it then, and once', async () => {
    const id = await ask({ expires_in: 2 * hour });
    await vote(id, bob, 0);
    await edit(id, { poll: { ...asked, expires_in: 300 } });
    people.server.clock.advance(300_000);
    expect(await pollOf(id, bob)).toMatchObject({ expired: true });
    people.server.clock.advance(2 * hour * 1_000);
    expect(heard(bob)).toHaveLength(1);
  });

  test('that hides the totals keeps the votes', async () => {
    const id = await ask();
    await vote(id, bob, 1);
    await edit(id, { poll: { ...asked, hide_totals: true } });
    expect(await inStatus(id, carol)).toMatchObject({ votes_count: 1, options: [{ votes_count: null }, {}, {}] });
    await edit(id, { poll: asked });
    expect(await inStatus(id, bob)).toMatchObject({ own_votes: [1], options: [{}, { votes_count: 1 }, {}] });
  });

  test('and the end are told to nobody who has muted the thread', async () => {
    const id = await ask();
    for (const person of [bob, carol]) {
      await vote(id, person, 0);
      await people.reblog(person, { id: parseId(id)!, author: alice });
    }
    await api.ask(postMute, bob, { id });
    await edit(id, { status: 'Which?', poll: asked });
    people.server.clock.advance(hour * 1_000);
    expect([bob, carol].map((person) => heard(person).map(([type]) => type))).toEqual([[], ['update', 'poll']]);
  });

  test('takes a poll away and adds one, which its history shows', async () => {
    const id = await ask();
    await vote(id, bob, 0);
    expect((await edit(id, {})).body).toMatchObject({ poll: null });
    await expect(pollOf(id, bob)).rejects.toMatchObject({ code: 'notFound' });
    await edit(id, { poll: asked });
    expect(await inStatus(id, bob)).toMatchObject({ votes_count: 0, voted: false });
    type Version = { poll?: { options: { title: string }[] } };
    const { body } = await api.ask<Version[]>(getStatusHistory, bob, { id });
    const titles = body.map(({ poll }) => poll?.options.map(({ title }) => title));
    expect(titles).toEqual([asked.options, undefined, asked.options]);
    people.server.clock.advance(hour * 1_000);
    expect([endsHeard(bob), endsHeard(alice)]).toEqual([[], [['poll', alice.id]]]);
  });

  test('to a poll that is refused changes nothing', async () => {
    const id = await ask();
    await vote(id, bob, 0);
    await expect(edit(id, { poll: { ...asked, options: ['a'] } })).rejects.toMatchObject({ code: 'validation' });
    expect(await inStatus(id, bob)).toMatchObject({ votes_count: 1, voted: true });
  });
});

test('a deleted status takes its poll along, and answers it for drafting it again', async () => {
  const id = await ask();
  await vote(id, bob, 0);
  expect((await api.ask(removeStatus, alice, { id })).body).toMatchObject({
    poll: { options: [{ title: 'Tea' }, {}, {}] },
  });
  await expect(pollOf(id, bob)).rejects.toMatchObject({ code: 'notFound' });
  people.server.clock.advance(hour * 1_000);
  expect([heard(bob), people.server.problems]).toEqual([[], []]);
});

test('other servers are told of new totals after three minutes, once for all votes, and of the end', async () => {
  const rita = people.remote('rita', 'there.test');
  const id = await ask();
  people.takeDeliveries();
  await vote(id, bob, 0);
  await people.server.call(
    Account.receiveVote.to(rita.id, { statusId: parseId(id)!, authorId: alice.id, option: 'Tea' }),
  );
  people.server.clock.advance(3 * 60_000 - 1);
  expect(people.takeDeliveries()).toEqual([]);
  people.server.clock.advance(1);
  const statusId = parseId(id)!;
  const delivered = (...destinations: (Destination | undefined)[]) => {
    people.server.effects.at(-1)!.answer({ statusId, destinations });
    people.server.settle();
    return people.takeDeliveries();
  };
  const intent = { kind: 'update', statusId };
  expect(delivered(rita.destination)).toMatchObject([{ intent, inboxes: [rita.destination!.inbox] }]);
  people.server.clock.advance(hour * 1_000);
  const sue = people.remote('sue', 'elsewhere.test');
  const told = delivered(sue.destination).flatMap(({ inboxes }) => inboxes);
  expect(told.sort()).toEqual([sue, rita].map(({ destination }) => destination!.inbox).sort());
});
