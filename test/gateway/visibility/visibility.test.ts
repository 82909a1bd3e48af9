/**
 * Requests everything that is served, as viewers with every kind of relation to two authors: each is shown exactly the
 * statuses that the model allows there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Instance, type InstanceSettings, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { rawRoutes } from '../../../src/gateway/raw-routes.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { wrongCollections } from './collections.ts';
import { avoids, maySee, type Secret, type Viewer, viewers } from './model.ts';
import { documents, pageLooksOf, pages } from './pages.ts';
import { type Look, looksOf, places, type Shows } from './places.ts';
import { type Possessions, possess, requestsNaming } from './possessions.ts';
import { World } from './world.ts';
import { shownAfterwards, writesOf } from './writes.ts';

let world: World;
let possessions: Possessions;

beforeAll(async () => {
  world = await World.create();
  possessions = await possess(world);
});

afterAll(async () => {
  expect(world.gateway.log).toEqual([]);
  await world.gateway.close();
});

const nothing: Shows = () => false;

/** What a viewer was shown against the model, or was not shown in spite of it. */
async function mistakes(viewer: Viewer, look: Look, shows: Shows, [face, place]: Place): Promise<string[]> {
  const { status, text } = await world.ask(viewer, look);
  const at = `${look.method} ${look.path}`;
  if (status >= 500) return [`${viewer} was answered with ${status}: ${at}`];
  for (const [what, { word }] of Object.entries(possessions.words))
    if (viewer !== 'author' && text.includes(word)) return [`${viewer} is shown ${what} of the author: ${at}`];
  if (viewer !== 'author' && text.includes(world.held.word)) return [`${viewer} is shown what waits: ${at}`];
  if (isShownWhatItRefersTo(viewer, look, text)) return [`${viewer} is shown what is quoted, or linked to: ${at}`];
  const collections = wrongCollections(face, place, viewer, look, text, world);
  const statuses = world.secrets.flatMap((secret) => {
    const isShown = text.includes(secret.word) && !look.path.includes(`=${secret.word}`);
    const mayBe = shows(viewer, secret, look, world);
    if (isShown && !mayBe) return [`${viewer} is shown ${nameOf(secret)}: ${at}`];
    return mayBe && !isShown && !look.isNarrowed ? [`${viewer} is not shown ${nameOf(secret)}: ${at}`] : [];
  });
  return [...collections, ...statuses];
}

/** Whoever is separated from its author is shown nowhere what others quote or link to. */
function isShownWhatItRefersTo(viewer: Viewer, { method, accept }: Look, text: string): boolean {
  // Documents for other servers, and feeds, are for everybody.
  const isDocument = accept !== undefined && /^(?:\{|<\?xml)/.test(text);
  const isShown = text.includes(world.quoted.word) || text.includes(world.linked.word);
  return isSeparated(viewer) && method === 'GET' && isShown && !isDocument;
}

const isSeparated = (viewer: Viewer) => viewer === 'blocked' || viewer === 'blocking';

/** The face of the server, and its route. */
type Place = readonly [face: 'api' | 'page' | 'document', path: string];

function nameOf({ author, visibility, mentions, word }: Secret): string {
  return `${word} (${visibility} of ${author}${mentions ? ', mentioning them' : ''})`;
}

const reading = endpoints.filter(({ methods }) => methods.includes('GET'));

describe('the API shows', () => {
  test.each(reading.map((endpoint) => [endpoint.path, endpoint] as const))('%s', async (path, endpoint) => {
    const wrong: string[] = [];
    for (const viewer of viewers)
      for (const look of looksOf(endpoint, viewer, world))
        wrong.push(...(await mistakes(viewer, look, places[path] ?? nothing, ['api', path])));
    expect(wrong).toEqual([]);
  });
});

const routes = rawRoutes.filter(({ method }) => method === 'GET').map((route) => [route.path, route] as const);

test.each(routes)('a page shows %s', async (path, route) => {
  const wrong: string[] = [];
  for (const viewer of viewers)
    for (const look of pageLooksOf(route, viewer, world))
      wrong.push(...(await mistakes(viewer, look, pages[path] ?? nothing, ['page', path])));
  expect(wrong).toEqual([]);
});

test.each(routes)('another server is shown %s', async (path, route) => {
  const wrong: string[] = [];
  for (const look of pageLooksOf(route, 'nobody', world, 'application/activity+json'))
    wrong.push(...(await mistakes('nobody', look, documents[path] ?? nothing, ['document', path])));
  expect(wrong).toEqual([]);
});

describe('a status that quotes another one', () => {
  const quoting = () => `/api/v1/statuses/${world.quoted.quotingId}`;

  test.each(viewers)('is shown to %s', async (viewer) => {
    const { status, text } = await world.ask(viewer, { method: 'GET', path: quoting() });
    expect([status, text.includes(world.quoted.word)]).toEqual([200, !isSeparated(viewer)]);
  });
});

test.each(viewers)('a reply that waits is shown to %s where they are asked', async (viewer) => {
  const paths = ['/api/v1/interaction_requests', `/api/v1/statuses/${world.held.id}`];
  const found = await Promise.all(paths.map((path) => world.ask(viewer, { method: 'GET', path })));
  expect(found.map(({ text }) => text.includes(world.held.word))).toEqual(paths.map(() => viewer === 'author'));
});

describe('a status that trends', () => {
  const places = [
    { method: 'GET', path: '/api/v1/trends/statuses' },
    { method: 'GET', path: '/explore', accept: 'text/html' },
  ];

  test.each(viewers)('is shown to %s unless they block, mute or hide its author', async (viewer) => {
    for (const place of places) {
      const { status, text } = await world.ask(viewer, place);
      const shown = (['author', 'far'] as const).filter((author) => text.includes(`trendof${author}`));
      const wanted = (['author', 'far'] as const).filter((author) => {
        const post = { author, visibility: 'public', mentions: false } as Secret;
        return maySee(viewer, post) && !avoids(viewer, post);
      });
      expect([status, shown]).toEqual([200, wanted]);
    }
  });
});

describe('a status that links to a collection', () => {
  test.each(viewers)('shows it to %s', async (viewer) => {
    const { linkingId, word } = world.linked;
    const entity = await world.ask(viewer, { method: 'GET', path: `/api/v1/statuses/${linkingId}` });
    expect([entity.status, entity.text.includes(word)]).toEqual([200, !isSeparated(viewer)]);
    const page = await world.ask(viewer, { method: 'GET', path: `/@reblogging/${linkingId}`, accept: 'text/html' });
    expect([page.status, page.text.includes(word)]).toEqual([200, !isSeparated(viewer)]);
  });
});

describe('while public timelines are closed to visitors, and those of other servers to all but staff', () => {
  const shut = { localLiveFeeds: 'authenticated', remoteLiveFeeds: 'disabled' } as const;
  const shutTopics = { localTopicFeeds: 'authenticated', remoteTopicFeeds: 'disabled' } as const;
  const open = { localLiveFeeds: 'public', remoteLiveFeeds: 'public' } as const;
  const openTopics = { localTopicFeeds: 'public', remoteTopicFeeds: 'public' } as const;
  const change = (settings: InstanceSettings) =>
    world.gateway.actors.call(Instance.changeSettings.to(instanceKey, settings));

  beforeAll(() => change({ ...shut, ...shutTopics }));
  afterAll(() => change({ ...open, ...openTopics }));

  const mayRead = (viewer: Viewer, { author }: Secret, { about }: Look) =>
    about !== 'feed' && viewer !== 'nobody' && (author === 'author' || viewer === 'staff');
  /** A home is no public timeline. */
  const shownThere =
    (shows: Shows, path: string): Shows =>
    (viewer, secret, look, at) =>
      shows(viewer, secret, look, at) && ((path === '/' && viewer !== 'nobody') || mayRead(viewer, secret, look));

  const paths = ['/api/v1/timelines/public', '/api/v1/timelines/tag/:hashtag'];
  test.each(paths)('the API shows %s', async (path) => {
    const endpoint = reading.find((one) => one.path === path)!;
    const wrong: string[] = [];
    for (const viewer of viewers)
      for (const look of looksOf(endpoint, viewer, world))
        wrong.push(...(await mistakes(viewer, look, shownThere(places[path]!, path), ['api', path])));
    expect(wrong).toEqual([]);
  });

  const pagePaths = ['/', '/public', '/public/local', '/public/remote', '/tags/:name'];
  test.each(pagePaths)('a page shows %s', async (path) => {
    const route = rawRoutes.find((one) => one.path === path && one.method === 'GET')!;
    const wrong: string[] = [];
    for (const viewer of viewers)
      for (const look of pageLooksOf(route, viewer, world))
        wrong.push(...(await mistakes(viewer, look, shownThere(pages[path]!, path), ['page', path])));
    expect(wrong).toEqual([]);
  });
});

describe('while its server has suspended the far author', () => {
  beforeAll(() => world.suspendFarAuthor(true));
  afterAll(() => world.suspendFarAuthor(false));

  const shownOfFar = async (viewer: Viewer, looks: readonly Look[]) => {
    const shown: string[] = [];
    for (const look of looks) {
      const { status, text } = await world.ask(viewer, look);
      if (status >= 500) shown.push(`${status} ${look.path}`);
      for (const { author, word } of world.secrets)
        if (author === 'far' && text.includes(word) && !look.path.includes(`=${word}`)) shown.push(look.path);
    }
    return shown;
  };

  test.each(['nobody', 'follower'] as const)('nothing of it is shown to %s', async (viewer) => {
    const looks = reading.flatMap((endpoint) => looksOf(endpoint, viewer, world));
    expect(await shownOfFar(viewer, looks)).toEqual([]);
    const ofPages = routes.flatMap(([, route]) => pageLooksOf(route, viewer, world));
    expect(await shownOfFar(viewer, ofPages)).toEqual([]);
  });
});

test('what its server has suspended for a while is shown again', async () => {
  const wrong: string[] = [];
  for (const path of ['/api/v1/timelines/home', '/api/v1/statuses/:id']) {
    const endpoint = reading.find((one) => one.path === path)!;
    for (const look of looksOf(endpoint, 'follower', world))
      wrong.push(...(await mistakes('follower', look, places[path]!, ['api', path])));
  }
  expect(wrong).toEqual([]);
});

describe('what belongs to somebody else', () => {
  /** As its owner reads it. */
  const read = () =>
    Promise.all(
      Object.values(possessions.words).map(async ({ word, path }) => {
        const { text } = await world.ask('author', { method: 'GET', path });
        expect(text).toContain(word);
        return text;
      }),
    );

  test.each(
    viewers.filter((viewer) => viewer !== 'author'),
  )('is not found by %s, and stays as it is', async (viewer) => {
    const before = await read();
    const requests = requestsNaming(possessions, world);
    expect(requests.length).toBeGreaterThan(30);
    const answers: string[] = [];
    for (const asked of requests)
      answers.push(`${(await world.ask(viewer, asked)).status} ${asked.method} ${asked.path}`);
    const refused = viewer === 'nobody' ? 401 : 404;
    expect(answers).toEqual(requests.map(({ method, path }) => `${refused} ${method} ${path}`));
    expect(await read()).toEqual(before);
  });
});

/** Last, because what is refused to one is granted to another. */
describe('an endpoint that changes something shows nothing to those who may not see it', () => {
  const writing = endpoints.flatMap((endpoint) =>
    endpoint.methods.filter((method) => method !== 'GET').map((method) => [method, endpoint.path, endpoint] as const),
  );

  test.each(writing)('%s %s', async (method, path, endpoint) => {
    const wrong: string[] = [];
    for (const viewer of viewers)
      for (const look of writesOf(method, endpoint, viewer, world))
        wrong.push(...(await mistakes(viewer, look, shownAfterwards[path] ?? nothing, ['api', path])));
    expect(wrong).toEqual([]);
  });
});
