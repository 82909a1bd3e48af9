import { beforeEach, describe, expect, test } from 'vitest';
import { viewerOf } from '../../../../src/actors/account/relationships/viewer.queries.ts';
import { statusesByAccount } from '../../../../src/actors/account/status-views.queries.ts';
import type { AccountStatusChoice } from '../../../../src/actors/account/statuses/account-statuses.queries.ts';
import type { PageBounds } from '../../../../src/actors/pages.ts';
import type { Post } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;
const posts: Record<string, Post> = {};

const everything: AccountStatusChoice = { excludeReplies: false, excludeReblogs: false, onlyMedia: false };

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.local('carol');
  const others = await people.publish(bob, { tags: ['cats'], withMedia: true });
  posts.tagged = await people.publish(alice, { tags: ['cats'] });
  posts.unlisted = await people.publish(alice, { visibility: 'unlisted', withMedia: true });
  posts.private = await people.publish(alice, { visibility: 'private', tags: ['cats'] });
  posts.direct = await people.publish(alice, { visibility: 'direct', mentions: [carol] });
  posts.reply = await people.publish(alice, { replyTo: others });
  posts.selfReply = await people.publish(alice, { replyTo: posts.tagged });
  posts.reblog = await people.reblog(alice, others);
});

function page(by: Person | undefined, choice: Partial<AccountStatusChoice> = {}, bounds: PageBounds = { limit: 40 }) {
  const { read, clock } = people.server;
  const viewer = viewerOf(read, by?.id, clock.now());
  return statusesByAccount(read, { accountId: alice.id, choice: { ...everything, ...choice }, viewer }, bounds);
}

/** Names of what is shown, newest first. */
function shown(by: Person | undefined, choice: Partial<AccountStatusChoice> = {}): string[] {
  return page(by, choice).items.map(({ status }) => Object.keys(posts).find((name) => posts[name]!.id === status.id)!);
}

describe('who sees which statuses of an account', () => {
  test('everybody the public and the unlisted ones', () => {
    expect(shown(undefined)).toEqual(['reblog', 'selfReply', 'reply', 'unlisted', 'tagged']);
    expect(shown(bob)).toEqual(shown(undefined));
  });

  test('followers also the private ones, mentioned accounts those that mention them, the author all', async () => {
    await people.follow(bob, alice);
    expect(shown(bob)).toEqual(['reblog', 'selfReply', 'reply', 'private', 'unlisted', 'tagged']);
    expect(shown(carol)).toEqual(['reblog', 'selfReply', 'reply', 'direct', 'unlisted', 'tagged']);
    expect(shown(alice)).toEqual(['reblog', 'selfReply', 'reply', 'direct', 'private', 'unlisted', 'tagged']);
  });

  test.each(['blocker', 'blocked'] as const)('a %s none', async (role) => {
    await (role === 'blocker' ? people.block(bob, alice) : people.block(alice, bob));
    expect(shown(bob)).toEqual([]);
  });

  test('no reblog of somebody on the other side of a block', async () => {
    await people.block(carol, bob);
    expect(shown(carol)).not.toContain('reblog');
  });
});

describe('what is chosen', () => {
  test.each<[string, Partial<AccountStatusChoice>, string[]]>([
    ['no replies to others', { excludeReplies: true }, ['reblog', 'selfReply', 'unlisted', 'tagged']],
    ['no reblogs', { excludeReblogs: true }, ['selfReply', 'reply', 'unlisted', 'tagged']],
    ['own media', { onlyMedia: true }, ['unlisted']],
    ['a tag', { tagged: 'cats' }, ['tagged']],
  ])('%s', (_what, choice, names) => {
    expect(shown(undefined, choice)).toEqual(names);
  });
});

test('the cursors lead on from what was shown', () => {
  const first = page(undefined, { excludeReblogs: true }, { limit: 2 });
  expect(first).toMatchObject({ newest: posts.selfReply!.id, oldest: posts.reply!.id, full: true });
  const second = page(undefined, { excludeReblogs: true }, { limit: 2, maxId: first.oldest });
  expect(second.items.map(({ status }) => status.id)).toEqual([posts.unlisted!.id, posts.tagged!.id]);
  const up = page(undefined, {}, { limit: 1, minId: posts.unlisted!.id });
  expect(up.items.map(({ status }) => status.id)).toEqual([posts.reply!.id]);
});
