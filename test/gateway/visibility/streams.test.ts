/**
 * What streams show, against the model: every channel, over both transports, asked by each viewer, live and by a replay.
 * What is live is published and edited after the relations have changed; a replay goes back to before they did.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Subscriber } from '../../../src/gateway/streaming/subscriber.ts';
import { until } from '../../support/until.ts';
import { avoids, isAtHome, isInList, isInPublic, isMember, maySee, people, type Secret, type Viewer } from './model.ts';
import { isNotified } from './places.ts';
import { addressOf, openServerSentEvents, openSockets, statusChannels, type ViewerStreams } from './stream-readers.ts';
import { World } from './world.ts';

type Shown = (viewer: Viewer, secret: Secret) => boolean;

const nothing: Shown = () => false;
const local: Shown = (viewer, secret) => secret.author === 'author' && isInPublic(viewer, secret);
const remote: Shown = (viewer, secret) => secret.author === 'far' && isInPublic(viewer, secret);
/** The far one mentions everybody, also an account which `author` has blocked meanwhile. */
const mentionsBlocked: Shown = (viewer, secret) =>
  viewer === 'author' && secret.author === 'far' && secret.visibility !== 'limited' && secret.mentions;
const isBesideBlocked: Shown = (viewer, secret) => mentionsBlocked(viewer, secret) && later.includes(secret);
const notified: Shown = (viewer, secret) =>
  viewer !== 'filtering' && isNotified(viewer, secret) && !isBesideBlocked(viewer, secret);
/** Whose conversations it continued, as others were when it came. */
const conversing: Shown = (viewer, secret) =>
  secret.visibility === 'direct' &&
  viewer !== 'filtering' &&
  maySee(viewer, secret) &&
  !isBesideBlocked(viewer, secret) &&
  (secret.mentions || viewer === secret.author);

/** Of an edit hear also those who know the status from a notification alone. */
const edited: Shown = (viewer, secret) =>
  isAtHome(viewer, secret) ||
  (notified(viewer, secret) && maySee(viewer, secret) && !avoids(viewer, secret) && !mentionsBlocked(viewer, secret));

const statuses = (shown: Shown) => ({ update: shown, 'status.update': shown });

/** By channel and event: an event that is not named carries nothing. */
const shownIn: Readonly<Record<string, Readonly<Record<string, Shown>>>> = {
  user: { update: isAtHome, 'status.update': edited, notification: notified },
  'user:notification': { notification: notified },
  direct: { conversation: (viewer, secret) => conversing(viewer, secret) && !avoids(viewer, secret) },
  public: statuses(isInPublic),
  'public:local': statuses(local),
  'public:remote': statuses(remote),
  'public:media': {},
  'public:local:media': {},
  'public:remote:media': {},
  hashtag: statuses(isInPublic),
  'hashtag:local': statuses(local),
  list: {
    update: isInList,
    'status.update': (viewer, secret) => isInList(viewer, secret) && isMember(viewer, secret),
  },
  status: { 'status.update': maySee },
  thread: statuses((viewer, secret) => maySee(viewer, secret) && !avoids(viewer, secret)),
  account: statuses(maySee),
};

let world: World;
/** Published when everybody had fallen out. */
let later: Secret[];
/** Of replays. */
const subscribers: Subscriber[] = [];

const transports = { WebSocket: openSockets, 'server-sent events': openServerSentEvents };
type Transport = keyof typeof transports;
const live = {} as Record<Transport, ViewerStreams[]>;
const replayed = {} as Record<Transport, ViewerStreams[]>;

beforeAll(async () => {
  world = await World.create();
  const hub = world.gateway.streams!;
  await openAll(live);
  later = await world.publish('later');
  for (const { id } of later)
    await world.ask('follower', { method: 'POST', path: `/api/v1/statuses/${id}/favourite`, json: {} });
  for (const secret of world.secrets) await world.edit(secret);
  world.gateway.actors.settle();
  hub.close();
  const subscribe = hub.subscribe.bind(hub);
  hub.subscribe = (...asked) => {
    subscribers.push(subscribe(...asked));
    return subscribers.at(-1)!;
  };
  await openAll(replayed, world.beginning);
  await until(() => subscribers.every(({ replay }) => replay === undefined), {
    description: 'the replays to be over',
  });
  hub.close();
});

afterAll(async () => {
  expect(world.gateway.log).toEqual([]);
  await world.gateway.close();
});

async function openAll(into: Record<Transport, ViewerStreams[]>, since?: string): Promise<void> {
  for (const [transport, open] of Object.entries(transports) as [Transport, typeof openSockets][])
    into[transport] = await Promise.all(people.map((viewer) => open(world, viewer, since)));
}

/** What came in a channel against the model, or did not come in spite of it. */
async function mistakesIn(
  streams: readonly ViewerStreams[],
  channel: string,
  shown: (event: string, viewer: Viewer, secret: Secret) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { viewer, opened, textsOf } of streams) {
    if (!opened.some((one) => one.channel === channel)) continue;
    const texts = await textsOf(channel);
    const events = new Set([...texts.map(({ event }) => event), ...Object.keys(shownIn[channel] ?? {})]);
    for (const event of events)
      for (const secret of [...world.secrets, ...later]) {
        const came = texts.some((one) => one.event === event && one.text.includes(secret.word));
        if (came === shown(event, viewer, secret)) continue;
        wrong.push(`${viewer} is ${came ? '' : 'not '}shown ${nameOf(secret)} by ${event}`);
      }
  }
  return wrong;
}

function nameOf({ author, visibility, mentions, word }: Secret): string {
  return `${word} (${visibility} of ${author}${mentions ? ', mentioning them' : ''})`;
}

const shownBy = (channel: string, event: string): Shown => shownIn[channel]?.[event] ?? nothing;
/** What conversations show is the last of them. */
const isLast: Shown = (viewer, secret) => {
  const reached = (one: Secret) => conversing(viewer, one) && !(later.includes(one) && avoids(viewer, one));
  return secret === [...world.secrets, ...later].findLast((one) => one.author === secret.author && reached(one));
};

describe.each(Object.keys(transports) as Transport[])('over %s', (transport) => {
  test.each(statusChannels.map(({ name }) => name))('%s shows live', async (channel) => {
    const wrong = await mistakesIn(
      live[transport],
      channel,
      (event, viewer, secret) =>
        later.includes(secret) === (event !== 'status.update') && shownBy(channel, event)(viewer, secret),
    );
    expect(wrong).toEqual([]);
  });

  test.each(statusChannels.map(({ name }) => name))('%s shows by a replay', async (channel) => {
    const wrong = await mistakesIn(replayed[transport], channel, (event, viewer, secret) => {
      if (event === 'conversation') return isLast(viewer, secret);
      return !(event === 'status.update' && later.includes(secret)) && shownBy(channel, event)(viewer, secret);
    });
    expect(wrong).toEqual([]);
  });
});

test.each(people)('the lists of others are no channels for %s', async (viewer) => {
  for (const [owner, value] of world.lists) {
    const asked = { channel: 'list', value };
    const { status } = await world.ask(viewer, { method: 'HEAD', path: addressOf(asked) });
    expect(status).toBe(owner === viewer ? 200 : 404);
  }
});

test.each(people)('what %s may not see cannot be watched', async (viewer) => {
  for (const secret of world.secrets)
    for (const channel of ['status', 'thread']) {
      const { status } = await world.ask(viewer, { method: 'HEAD', path: addressOf({ channel, value: secret.id }) });
      expect([channel, secret, status]).toEqual([channel, secret, maySee(viewer, secret) ? 200 : 404]);
    }
});

test('no stream opens without a token', async () => {
  for (const { name } of statusChannels) {
    const { status } = await world.ask('nobody', { method: 'GET', path: addressOf({ channel: name, value: '1' }) });
    expect(status).toBe(401);
  }
});
