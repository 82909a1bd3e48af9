import { describe, expect, test } from 'vitest';
import { viewerStateChanged } from '../../src/actors/account/interactions/interactions.events.ts';
import { notified } from '../../src/actors/account/notifications/notifications.events.ts';
import { pollCounted } from '../../src/actors/account/polls/polls.events.ts';
import { accountCounted, profileChanged } from '../../src/actors/account/profile/profile.events.ts';
import { hiddenAccountsChanged } from '../../src/actors/account/relationships/relationships.events.ts';
import {
  type StatusFacts,
  statusArrived,
  statusCounted,
  statusDeleted,
  statusDetached,
  statusEdited,
  statusPublished,
  statusRevised,
} from '../../src/actors/account/statuses/statuses.events.ts';
import { cacheables } from '../../src/actors/cacheables.ts';
import { loginChanged, tokenRevoked } from '../../src/actors/session/session.events.ts';
import type { EventType } from '../../src/runtime/events/event.ts';
import { EventHub } from '../../src/services/event-hub.ts';

const post: StatusFacts = {
  id: 11n,
  accountId: 1n,
  local: true,
  visibility: 'public',
  tags: ['cats', 'dogs'],
  mentions: [],
  hasMedia: false,
};
const author = [
  ['account counters', 1n],
  ['statuses of an account', 1n],
];
const ofAuthor = ['statuses of an account', 1n];
const tags = [
  ['tag timeline', 'cats'],
  ['tag timeline', 'dogs'],
];
const lists = [...author, ['public timeline', undefined], ...tags];
const document = ['status document', 11n];
const notification = { accountId: 1n, notificationId: 5n, type: 'follow', fromId: 2n } as const;

function happen<Body>(hub: EventHub, { number }: EventType<Body>, body: Body): void {
  hub.dispatch({ partition: 0, commit: 1, events: [{ event: number, body }] }, []);
}

function invalidatedBy<Body>(type: EventType<Body>, body: Body): unknown[] {
  const hub = new EventHub();
  const dropped: unknown[] = [];
  for (const kind of Object.values(cacheables))
    hub.onInvalidation<never>(kind, (key) => void dropped.push([kind.name, key]));
  happen(hub, type, body);
  return dropped;
}

describe('what is kept is no longer true after', () => {
  test.each([
    ['a post: its author and the lists it stands in', statusPublished, post, [...lists, document]],
    [
      'a reply to somebody else: no public timeline',
      statusPublished,
      { ...post, inReplyToAccountId: 2n },
      [...author, ...tags, document],
    ],
    [
      'a reply to oneself: what it answers, too',
      statusPublished,
      { ...post, inReplyToId: 10n, inReplyToAccountId: 1n },
      [...lists, document, ['status document', 10n]],
    ],
    [
      'a post to followers: no timeline',
      statusPublished,
      { ...post, visibility: 'private' as const },
      [...author, document],
    ],
    ['a deletion: the post as well', statusDeleted, post, [['status', 11n], document, ...lists]],
    [
      'an edit: every tag, it may have had others',
      statusEdited,
      post,
      [['status', 11n], document, ...lists, ['tag timeline', undefined]],
    ],
    ['an edit, heard of by a follower first', statusRevised, post, [['status', 11n], ofAuthor]],
    ['an arrival: the posts of its author', statusArrived, post, [ofAuthor]],
    ['numbers of a post', statusCounted, { id: 11n }, [['status', 11n], document]],
    ['votes', pollCounted, { statusId: 11n }, [['status', 11n], document]],
    ['numbers of an account', accountCounted, { accountId: 1n }, [['account counters', 1n]]],
    [
      'a profile',
      profileChanged,
      { accountId: 1n },
      [
        ['account', 1n],
        ['profile', 1n],
      ],
    ],
    [
      'a login: whether its account is public',
      loginChanged,
      { accountId: 1n },
      [
        ['account', 1n],
        ['grants of an account', 1n],
      ],
    ],
    ['a token', tokenRevoked, { tokenId: 'a token', accountId: 1n }, [['grant', 'a token']]],
    ['what a status answered is gone', statusDetached, { id: 11n }, [['status', 11n], document]],
    [
      'a favourite',
      viewerStateChanged,
      { accountId: 1n, statusId: 11n },
      [['viewer state', { viewerId: 1n, statusId: 11n }]],
    ],
    ['a block', hiddenAccountsChanged, { accountId: 1n, targetId: 2n }, [['hidden accounts', 1n]]],
    ['a notification: nothing', notified, notification, []],
  ])('%s', (_name, type, body, expected) => {
    expect(invalidatedBy(type as EventType<unknown>, body)).toEqual(expected);
  });
});

test('caches have dropped what is not true before anybody hears of the event', () => {
  const hub = new EventHub();
  const heard: string[] = [];
  hub.subscribe(() => void heard.push('stream'));
  hub.onInvalidation(cacheables.account, () => void heard.push('cache'));
  happen(hub, profileChanged, { accountId: 1n });
  expect(heard).toEqual(['cache', 'stream']);
});
