/**
 * The endpoints that show statuses. Every reading endpoint is requested with everything that its path and parameters
 * can name; one without a row here must show no status.
 */
import type { Endpoint } from '../../../src/gateway/route.ts';
import type { Services } from '../../../src/services/services.ts';
import {
  avoids,
  couldSee,
  followedOnce,
  hidesDomain,
  isAtHome,
  isInList,
  isInPublic,
  maySee,
  type Secret,
  type Viewer,
} from './model.ts';
import type { Asked, World } from './world.ts';

export interface Look extends Asked {
  /** What the path names: a status, an account, a list. */
  readonly about: string | undefined;
  /** More parameters than have to be given: what is found then is a part of what is found without. */
  readonly isNarrowed: boolean;
}

/** Whether the viewer is shown that status there. */
export type Shows = (viewer: Viewer, secret: Secret, look: Look, world: World) => boolean;

const itself: Shows = (viewer, secret, { about }) => about === secret.id && maySee(viewer, secret);
/** By its address, which only users may search for; by its text where it was kept before. */
const searched: Shows = (viewer, secret, { path }) => {
  if (!isSignedIn(viewer) || !maySee(viewer, secret)) return false;
  if (path.includes(encodeURIComponent(secret.uri))) return true;
  return path.includes('q=%23secret') && couldSee(viewer, secret) && !avoids(viewer, secret);
};
const isSignedIn = (viewer: Viewer) => viewer !== 'nobody';

export const kept: Shows = (viewer, secret) => isSignedIn(viewer) && couldSee(viewer, secret) && maySee(viewer, secret);
/** Of what they were mentioned in, of what those whom they follow have published, and of what others did to their own. */
export const notified: Shows = (viewer, secret, look) =>
  isNotified(viewer, secret) && (viewer !== 'filtering' || look.path.includes('include_filtered'));

export function isNotified(viewer: Viewer, secret: Secret): boolean {
  if (!isSignedIn(viewer) || !maySee(viewer, secret) || avoids(viewer, secret)) return false;
  const { author, mentions, visibility } = secret;
  if (visibility === 'limited') return mentions && !followedOnce(viewer);
  if (viewer === author) return mentions || visibility !== 'direct';
  return mentions || (followedOnce(viewer) && visibility !== 'direct');
}
/** The same, one by one: nobody is shown a notification of somebody else. */
const notifiedOf: Shows = (viewer, secret, look, world) =>
  isNotified(viewer, secret) &&
  world.notices.some(
    ({ owner, id, groupKey, word }) =>
      owner === viewer && word === secret.word && (look.about === id || look.about === groupKey),
  );
/** A request shows the newest mention of a sender. */
const requested: Shows = (viewer, secret, { about }, { requestIds, secrets }) => {
  if (viewer !== 'filtering' || !(about === undefined || requestIds.includes(about))) return false;
  return secret === secrets.findLast(({ author, mentions }) => author === secret.author && mentions);
};
/** The last of a thread; what is filtered continues none. */
export const conversing: Shows = (viewer, secret) =>
  isSignedIn(viewer) &&
  viewer !== 'filtering' &&
  secret.visibility === 'direct' &&
  maySee(viewer, secret) &&
  secret.mentions === (viewer !== secret.author);

export const places: Readonly<Record<string, Shows>> = {
  '/api/v1/statuses/:id': itself,
  '/api/v1/statuses/:id/history': itself,
  '/api/v1/polls/:id': itself,
  '/api/v1/statuses/:id/source': (viewer, secret, { about }) => about === secret.id && viewer === secret.author,
  '/api/v1/statuses/:id/context': (viewer, secret, { about }, { roots }) =>
    about === roots[secret.author] && maySee(viewer, secret) && !hidesDomain(viewer, secret),
  '/api/v1/statuses': maySee,
  '/api/v1/timelines/home': isAtHome,
  '/api/v1/timelines/public': isInPublic,
  '/api/v1/timelines/tag/:hashtag': isInPublic,
  '/api/v1/timelines/list/:list_id': (viewer, secret, { about }, { lists }) =>
    about === lists.get(viewer) && isInList(viewer, secret),
  '/api/v1/accounts/:id/statuses': (viewer, secret, { about }, { ids }) =>
    maySee(viewer, secret) &&
    (about === ids[secret.author] ||
      (about === ids.reblogging && secret.reblogId !== undefined && !avoids(viewer, secret))),
  '/api/v1/favourites': kept,
  '/api/v1/bookmarks': kept,
  '/api/v1/notifications': notified,
  '/api/v2/notifications': notified,
  '/api/v1/notifications/:id': notifiedOf,
  '/api/v2/notifications/:group_key': notifiedOf,
  '/api/v1/notifications/requests': requested,
  '/api/v1/notifications/requests/:id': requested,
  '/api/v1/conversations': conversing,
  '/api/v1/search': searched,
  '/api/v2/search': searched,
};

const idOfNothing = '1';

/** What each name in a path may stand for. */
function valuesOf(path: string, viewer: Viewer, world: World): readonly string[] {
  const { ids, lists, secrets, roots, notices, requestIds, quoted, linked, held, curated } = world;
  if (/\/(?:statuses|polls)\/:/.test(path))
    return [
      ...secrets.map(({ id }) => id),
      ...Object.values(roots),
      ...[quoted.id, quoted.quotingId, linked.linkingId, held.id],
    ];
  if (path.includes('/interaction_requests/:')) return [held.id];
  if (path.includes('/accounts/:'))
    return [ids.author, ids.far, ids.reblogging, ...(viewer === 'nobody' ? [] : [ids[viewer]])];
  if (/\/collections\/:/.test(path)) return [...curated.map(({ id }) => id), linked.collectionId];
  if (path.includes('/requests/:')) return requestIds;
  if (path.includes('/notifications/:')) {
    const own = notices.filter(({ owner }) => owner === viewer || owner === 'filtering');
    return own.map(({ id, groupKey }) => (path.includes(':group_key') ? groupKey : id));
  }
  if (/\/(?:tag|tags|hashtag)\/:/.test(path)) return ['secret'];
  if (path.includes('/list')) return [...lists.values()];
  return [idOfNothing];
}

/** What has to be given, or else nothing is found. */
function demandedOf({ path }: Endpoint<Services>, { secrets, ids }: World): readonly string[] {
  if (path === '/api/v1/statuses') return [secrets.map(({ id }) => `id[]=${id}`).join('&')];
  if (path.endsWith('/search'))
    return [
      'q=%23secret',
      ...secrets.flatMap(({ uri, word }) => [`q=${encodeURIComponent(uri)}&resolve=true`, `q=${word}`]),
    ];
  if (path.endsWith('/lookup')) return ['acct=author', 'acct=far@far.example'];
  if (/\/accounts(?:\/relationships|\/familiar_followers)?$/.test(path)) return [`id[]=${ids.author}&id[]=${ids.far}`];
  return [''];
}

/** Of single notifications, those from people who were blocked since are gone; a request is of one sender. */
const isPartly = (path: string) => /\/notifications\/(?:requests\/)?:/.test(path);

const narrowing: Readonly<Record<string, string>> = { tagged: 'secret', limit: '1' };

export function looksOf(endpoint: Endpoint<Services>, viewer: Viewer, world: World): Look[] {
  const { path, pathNames, parameterNames } = endpoint;
  const free = [...parameterNames].filter((name) => !pathNames.includes(name) && !['q', 'id'].includes(name));
  const limit = parameterNames.has('limit') ? ['limit=80'] : [];
  const values = pathNames.length === 0 ? [undefined] : valuesOf(path, viewer, world);
  const look = (about: string | undefined, parts: readonly string[], isNarrowed: boolean): Look => {
    const query = parts.filter((part) => part !== '').join('&');
    return { method: 'GET', path: `${path.replace(/:\w+/g, about ?? '')}?${query}`, about, isNarrowed };
  };
  const demanded = demandedOf(endpoint, world);
  const shows = places[path];
  const all = values.flatMap((about) => demanded.map((one) => look(about, [one, ...limit], isPartly(path))));
  if (shows === undefined) return all;
  const narrowed = free.map((name) => look(values[0], [demanded[0]!, `${name}=${narrowing[name] ?? 'true'}`], true));
  return [...all, ...narrowed];
}
