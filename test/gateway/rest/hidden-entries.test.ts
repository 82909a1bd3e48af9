/**
 * Lists of which a viewer is shown few entries: no page is empty before the end, because clients take an empty page for
 * the end; but a request reads no more entries than a bound, and its link leads on.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { favouritesOfStatus, reblogsOfStatus } from '../../../src/actors/account/interactions/interactions.state.ts';
import {
  blocksByTime,
  followersByTime,
  followingByTime,
  mutesByTime,
} from '../../../src/actors/account/relationships/relationships.state.ts';
import { statusesOfAccount } from '../../../src/actors/account/statuses/statuses.state.ts';
import { readingLimits } from '../../../src/actors/limits.ts';
import { localTimeline, tagTimeline as tagEntries } from '../../../src/actors/timelines.state.ts';
import { getBlocks } from '../../../src/gateway/rest/accounts/get-blocks.ts';
import { getFollowers } from '../../../src/gateway/rest/accounts/get-followers.ts';
import { getFollowing } from '../../../src/gateway/rest/accounts/get-following.ts';
import { getMutes } from '../../../src/gateway/rest/accounts/get-mutes.ts';
import { getAccountStatuses } from '../../../src/gateway/rest/accounts-statuses/get-account-statuses.ts';
import { getFavouritedBy } from '../../../src/gateway/rest/interactions/get-favourited-by.ts';
import { getRebloggedBy } from '../../../src/gateway/rest/interactions/get-reblogged-by.ts';
import { publicTimeline } from '../../../src/gateway/rest/timelines/public-timeline.ts';
import { tagTimeline } from '../../../src/gateway/rest/timelines/tag-timeline.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';

let { people, api, alice, bob } = await newPeople();
let post: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  post = await people.publish(alice);
});

test.each([
  ['followers', getFollowers, followersByTime, () => people.follow(bob, alice)],
  ['followed accounts', getFollowing, followingByTime, () => people.follow(alice, bob)],
  ['blocks', getBlocks, blocksByTime, () => people.block(alice, bob)],
  ['mutes', getMutes, mutesByTime, () => people.mute(alice, bob)],
  ['favourites of a status', getFavouritedBy, favouritesOfStatus, () => people.favourite(bob, post)],
  ['reblogs of a status', getRebloggedBy, reblogsOfStatus, () => people.reblog(bob, post)],
] as const)('a page of %s is not empty while there is somebody to show', async (_list, endpoint, space, meet) => {
  await meet();
  people.server.settle();
  people.server.clock.advance(1_000);
  const isOfStatus = space === favouritesOfStatus || space === reblogsOfStatus;
  const { id } = isOfStatus ? post : alice;
  people.server.turn(Account.actor, alice.id, (turn) => {
    // Accounts that are not there any more.
    for (let count = 0n; count <= readingLimits.entriesPerPageMax; count += 1n)
      turn.put(space, [id, turn.nextId()], { id: count });
  });
  const { body, links } = await api.ask(endpoint, alice, { id, limit: '40' });
  expect(idsIn(body)).toEqual([bob.id.toString()]);
  expect(links.next).toBeUndefined();
});

describe('among statuses without media, those with media', () => {
  const { entriesPerPageMax, readingsPerPageMax } = readingLimits;
  const bound = entriesPerPageMax * readingsPerPageMax;
  /** Statuses whose entries are all that a request for media reads of them. */
  const writeWithout = (count: number) => {
    people.server.clock.advance(1_000);
    people.server.turn(Account.actor, alice.id, (turn) => {
      const entry = { accountId: alice.id, local: true, hasMedia: false };
      for (let written = 0; written < count; written += 1) {
        const id = turn.nextId();
        turn.put(statusesOfAccount, [alice.id, id], { visibility: 'public', hasMedia: false });
        turn.put(localTimeline, [id], entry);
        turn.put(tagEntries, ['birds', id], entry);
      }
    });
  };
  const lists = [
    ['of an account', getAccountStatuses],
    ['in the public timeline', publicTimeline],
    ['in the timeline of a tag', tagTimeline],
  ] as const;
  const ask = (endpoint: (typeof lists)[number][1], more = {}) =>
    api.ask(endpoint, alice, { id: alice.id, hashtag: 'birds', only_media: 'true', ...more });

  /** More than a request for all would read. */
  test.each(lists)('%s are found behind many', async (_list, endpoint) => {
    const media = await people.publish(alice, { withMedia: true, tags: ['birds'] });
    writeWithout(bound);
    const { body, links } = await ask(endpoint);
    expect(idsIn(body)).toEqual([media.id.toString()]);
    expect(links.next).toBeUndefined();
  });
});
