/** Which groups of listeners carry a status, and what finding them costs. */

import { expect, test } from 'vitest';
import type { StatusFacts } from '../../../src/actors/account/statuses/statuses.events.ts';
import type { StreamingApp } from '../../../src/gateway/http/native-apps.ts';
import { type Channel, channelOf } from '../../../src/gateway/streaming/channels.ts';
import { PublicGroups } from '../../../src/gateway/streaming/public-groups.ts';
import type { Connection } from '../../../src/gateway/streaming/subscriber.ts';
import { Subscriber } from '../../../src/gateway/streaming/subscriber.ts';
import { Viewer } from '../../../src/gateway/streaming/viewer.ts';
import { WriteScheduler } from '../../../src/gateway/streaming/write-scheduler.ts';

const connection = {} as Connection;
const facts: StatusFacts = {
  ...{ id: 1n, accountId: 1n, local: true, visibility: 'public', mentions: [], hasMedia: false },
  tags: ['cats', 'dogs'],
};

function groupsOf(channels: readonly Channel[]): { groups: PublicGroups; subscribers: Subscriber[] } {
  const groups = new PublicGroups({} as StreamingApp, new WriteScheduler());
  const subscribers = channels.map((channel) => new Subscriber(connection, channel, new Viewer(7n)));
  for (const subscriber of subscribers) groups.join(subscriber);
  return { groups, subscribers };
}

test('a status is for the public channels and for those of its tags, in every spelling', () => {
  const asked = [
    ...['public', 'public:local', 'public:remote', 'public:media'].map((name) => channelOf(name)!),
    ...['cats', 'Cats', '#cats', 'dogs', 'birds'].map((tag) => channelOf('hashtag', { tag: tag })!),
    channelOf('hashtag:local', { tag: 'cats' })!,
  ];
  const { groups, subscribers } = groupsOf([...asked, ...asked]);
  const keys = () => groups.carrying({ name: 'update', status: facts }).map(({ channel }) => channel.key);
  const spellings = ['hashtag cats', 'hashtag Cats', 'hashtag #cats'];
  const carried = ['public', 'public:local', ...spellings, 'hashtag dogs', 'hashtag:local cats'];
  expect(keys().sort()).toEqual(carried.sort());
  for (const subscriber of subscribers.slice(0, asked.length)) groups.leave(subscriber);
  expect(keys().sort()).toEqual(carried.sort());
  for (const subscriber of subscribers.slice(asked.length)) groups.leave(subscriber);
  expect(keys()).toEqual([]);
  expect(groups.carrying({ name: 'update', status: { ...facts, visibility: 'unlisted' } })).toEqual([]);
});

test('channels of other tags are not looked at, however many somebody has opened', () => {
  let looked = 0;
  const others = Array.from({ length: 1_000 }, (_, number) => {
    const channel = channelOf('hashtag', { tag: `other${number}` })!;
    return Object.defineProperty({ ...channel }, 'value', {
      get: () => {
        looked += 1;
        return channel.value;
      },
    });
  });
  const { groups } = groupsOf([...others, channelOf('hashtag', { tag: 'cats' })!]);
  looked = 0;
  expect(groups.carrying({ name: 'update', status: facts })).toHaveLength(1);
  expect(looked).toBe(0);
});
