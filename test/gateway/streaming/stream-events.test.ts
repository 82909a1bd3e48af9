/** Which channels carry which event, according to the tables that live events and replays use. */

import { afterEach, describe, expect, test } from 'vitest';
import { conversationContinued } from '../../../src/actors/account/conversations/conversations.events.ts';
import { followedTagsChanged } from '../../../src/actors/account/followed-tags/followed-tags.events.ts';
import { viewerStateChanged } from '../../../src/actors/account/interactions/interactions.events.ts';
import { notifiedStatusEdited, statusWithdrawn } from '../../../src/actors/account/mentions/mentions.events.ts';
import { notificationsMerged } from '../../../src/actors/account/notifications/notification-requests.events.ts';
import { notified } from '../../../src/actors/account/notifications/notifications.events.ts';
import { pollCounted } from '../../../src/actors/account/polls/polls.events.ts';
import {
  type StatusFacts,
  statusArrived,
  statusCounted,
  statusDeleted,
  statusDetached,
  statusEdited,
  statusGone,
  statusPublished,
  statusRevised,
} from '../../../src/actors/account/statuses/statuses.events.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { UserGrant } from '../../../src/gateway/http/grant.ts';
import { type ChannelKind, carries, channelKinds, channelOf } from '../../../src/gateway/streaming/channels.ts';
import { type StreamEvent, streamEventOf } from '../../../src/gateway/streaming/stream-events.ts';
import { type Connection, Subscriber } from '../../../src/gateway/streaming/subscriber.ts';
import { Viewer } from '../../../src/gateway/streaming/viewer.ts';
import type { ReaderFeed, RepeatedReblogs } from '../../../src/operations/timelines/repeated-reblogs.ts';
import type { EventType } from '../../../src/runtime/events/event.ts';
import type { Snapshots } from '../../../src/runtime/storage/snapshots.ts';
import { only } from '../../support/only.ts';

const [aliceId, bobId] = [1n, 2n];
const everything = ['read:statuses', 'read:notifications'];
/** Nobody has a list. */
const snapshots = only<Snapshots>('snapshots', { get: () => undefined });
/** The feeds whose readers have just found the same in them. */
const repeating: ReaderFeed[] = [];
const services = only<GatewayServices>('services', {
  snapshots,
  repeatedReblogs: only<RepeatedReblogs>('repeated reblogs', {
    includes: ({ accountId, listId }) =>
      repeating.some((feed) => feed.accountId === accountId && feed.listId === listId),
  }),
});

const facts: StatusFacts = {
  ...{ id: 5n, accountId: bobId, local: true, visibility: 'public', mentions: [], hasMedia: false },
  ...{ tags: ['cats'], threadId: 3n },
};
const notice = { accountId: aliceId, notificationId: 9n, type: 'mention', fromId: bobId };

type Type = Pick<EventType<never>, 'number'>;
const happened = ({ number }: Type, body: unknown): StreamEvent | undefined => streamEventOf({ event: number, body });

function subscriberOf(channel: Subscriber['channel'], scopes: readonly string[] = everything): Subscriber {
  const grant = only<UserGrant>('grant', { accountId: aliceId, scopes: new Set(scopes) });
  return new Subscriber(only<Connection>('connection', { grant }), channel, new Viewer(aliceId));
}

/** What a subscriber of alice watches: a status of bob, in a thread that another began. */
const watching = { status: '5', thread: '3', account: bobId.toString() };
const watched = Object.keys(watching);
const home = ['user'];
const local = ['hashtag', 'hashtag:local', 'public', 'public:local'];

test.each<[string, Type, unknown, string, readonly string[]]>([
  ['a new status', statusPublished, facts, 'update', [...home, ...local, 'thread', 'account']],
  ['that it arrived in another partition', statusArrived, facts, 'update', home],
  ['an edit', statusEdited, facts, 'status.update', [...home, ...local, ...watched]],
  ['an edit, in another partition', statusRevised, facts, 'status.update', home],
  ['an edit of what a notification showed', notifiedStatusEdited, { accountId: aliceId, facts }, 'status.update', home],
  ['a deletion', statusDeleted, facts, 'delete', [...home, ...local, ...watched]],
  ['changed counters', statusCounted, { id: 5n }, 'status.update', ['status']],
  ['that its parent is gone', statusDetached, { id: 5n }, 'status.update', ['status']],
  ['changed totals of its poll', pollCounted, { statusId: 5n }, 'status.update', ['status']],
  ['its own state', viewerStateChanged, { statusId: 5n, accountId: aliceId }, 'status.update', ['status']],
  ['the state of others', viewerStateChanged, { statusId: 5n, accountId: bobId }, 'status.update', []],
  [
    'a reply to what began the thread',
    statusPublished,
    { ...facts, id: 8n },
    'update',
    [...home, ...local, 'thread', 'account'],
  ],
  [
    'an edit of that',
    statusEdited,
    { ...facts, id: 3n, threadId: undefined, accountId: 9n },
    'status.update',
    [...home, ...local, 'thread'],
  ],
  ['a deletion, in another partition', statusGone, facts, 'delete', home],
  ['that a mention is gone', statusWithdrawn, { accountId: aliceId, statusId: 5n }, 'delete', home],
  ['a direct status', conversationContinued, { accountId: aliceId, threadId: 5n }, 'conversation', ['direct']],
  ['a notification', notified, notice, 'notification', ['user', 'user:notification']],
  [
    'that accepted notifications were merged',
    notificationsMerged,
    { accountId: aliceId },
    'notifications_merged',
    ['user', 'user:notification'],
  ],
  [
    'a reply to another',
    statusPublished,
    { ...facts, inReplyToAccountId: 3n },
    'update',
    [...home, 'hashtag', 'hashtag:local', 'thread', 'account'],
  ],
  [
    'a remote status',
    statusPublished,
    { ...facts, local: false },
    'update',
    [...home, 'hashtag', 'public', 'public:remote', 'thread', 'account'],
  ],
  [
    'a reblog',
    statusPublished,
    { ...facts, tags: [], reblogOfId: 4n, threadId: undefined },
    'update',
    [...home, 'account'],
  ],
])('%s', (_what, type, body, name, channels) => {
  const event = happened(type, body)!;
  expect(event.name).toBe(name);
  const carrying = channelKinds.filter((kind) => {
    const id = watching[kind.name as keyof typeof watching];
    const subscriber = subscriberOf(channelOf(kind.name, { tag: 'Cats', list: '12', id })!);
    const { channel } = subscriber;
    return (
      (event.recipients([aliceId]).includes(aliceId) && subscriber.shouldReceive(event, services)) ||
      subscriber.watches(event) ||
      (event.isPublic && carries(channel, event))
    );
  });
  expect(carrying.map((kind) => kind.name).sort()).toEqual([...channels].sort());
});

test('media channels carry a status with media beside the others', () => {
  const event = happened(statusPublished, { ...facts, hasMedia: true })!;
  for (const { name, onlyMedia } of channelKinds)
    if (onlyMedia) expect(carries(channelOf(name)!, event)).toBe(!name.includes('remote'));
});

test('events without a row are not streamed', () => {
  expect(happened(followedTagsChanged, { accountId: aliceId })).toBeUndefined();
});

test.each([
  ['read:statuses', ['update']],
  ['read:notifications', ['notification']],
  ['read', ['update', 'notification']],
  ['write', []],
])('a token with %s gets %o of its account', (scope, names) => {
  const subscriber = subscriberOf(channelOf('user')!, [scope]);
  const events = [happened(statusPublished, facts)!, happened(notified, notice)!];
  const received = events.filter((event) => subscriber.shouldReceive(event, services));
  expect(received.map(({ name }) => name)).toEqual(names);
});

test('a notification is for its account only, live and by a replay', () => {
  const event = happened(notified, notice)!;
  expect(event.recipients([bobId])).toEqual([aliceId]);
  expect([aliceId, bobId].filter((accountId) => event.concerns(accountId, snapshots))).toEqual([aliceId]);
});

describe('a channel of an account with a parameter', () => {
  const kind: ChannelKind = {
    ...{ name: 'list', path: 'list', scopes: ['read:lists'], audience: 'account', events: ['update', 'delete'] },
    parameter: { name: 'list', read: (text) => text },
    belongs: ({ accountId }, value, ownerId) => ownerId === aliceId && accountId === bobId && value === '12',
  };

  test.each([
    ['of those who are in it', '12', facts, true],
    ['of nobody else', '12', { ...facts, accountId: 3n }, false],
    ['of no other list', '13', facts, false],
  ])('has the statuses %s', (_whose, value, status, expected) => {
    const subscriber = subscriberOf({ kind, key: `list ${value}`, value, streamJson: '[]' });
    expect(subscriber.shouldReceive(happened(statusPublished, status)!, services)).toBe(expected);
  });
});

describe('a reblog of what its reader has just found', () => {
  const reblog = { ...facts, tags: [], reblogOfId: 4n };
  afterEach(() => void repeating.splice(0));

  test.each<[string, Type, boolean]>([
    ['news', statusArrived, false],
    ['a deletion', statusGone, true],
  ])('is left out of the home as %s: it comes is %s', (_what, type, comes) => {
    repeating.push({ accountId: aliceId, listId: undefined });
    const subscriber = subscriberOf(channelOf('user')!);
    expect(subscriber.shouldReceive(happened(type, reblog)!, services)).toBe(comes);
    expect(subscriber.shouldReceive(happened(type, facts)!, services)).toBe(true);
  });
});
