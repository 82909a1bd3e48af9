/** The pages and ActivityPub documents that show statuses. A route without a row here must show none. */
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { RawRoute } from '../../../src/gateway/route.ts';
import { hidesDomain, isAtHome, isForEverybody, isInPublic, maySee, type Viewer } from './model.ts';
import { conversing, kept, type Look, notified, type Shows } from './places.ts';
import type { World } from './world.ts';

/** For feed readers, whoever looks and whatever is accepted. */
const accountFeed: Shows = (_viewer, secret, { about }) =>
  about === 'author.rss' && secret.author === 'author' && isForEverybody(secret);
/** Under the name of its author, whatever follows that. */
const profile: Shows = (viewer, secret, look, world) =>
  accountFeed(viewer, secret, look, world) || (look.about?.split('?')[0] === secret.author && maySee(viewer, secret));
/** As everybody sees it in the feed. */
const tagged: Shows = (viewer, secret, { about }) => isInPublic(about === 'feed' ? 'nobody' : viewer, secret);

/** No text, but where a visitor is led for one of another server: its address has its text here. */
const linked: Shows = (viewer, secret, { about }) =>
  about === secret.id && viewer === 'nobody' && secret.author === 'far' && isForEverybody(secret);
const versions: Shows = (viewer, secret, { about }) => about === secret.id && maySee(viewer, secret);

/** Those of other servers are served by their own. */
const document: Shows = (_viewer, secret, { about }) =>
  about === secret.id && secret.author === 'author' && isForEverybody(secret);
const outbox: Shows = (_viewer, secret, { about }) =>
  about === 'author?page=true' && secret.author === 'author' && isForEverybody(secret);

/** Whether they are asked for or not. */
const alwaysDocuments: Readonly<Record<string, Shows>> = {
  // As strangers see it, whoever looks.
  '/@:name/:id/embed': document,
  '/users/:name/statuses/:id/activity': document,
  '/users/:name/outbox': outbox,
  '/users/:name/collections/featured': (_viewer, secret, { about }) =>
    about?.split('?')[0] === 'author' && secret.author === 'author' && secret.mentions && isForEverybody(secret),
};

/** About a status, whatever is accepted. */
const aboutOne: Readonly<Record<string, Shows>> = {
  '/@:name/:id/favourites': linked,
  '/@:name/:id/reblogs': linked,
  '/@:name/:id/history': versions,
};

const local: Shows = (viewer, secret) => secret.author === 'author' && isInPublic(viewer, secret);
const remote: Shows = (viewer, secret) => secret.author === 'far' && isInPublic(viewer, secret);
const front: Shows = (viewer, secret, look, world) =>
  viewer === 'nobody' ? local(viewer, secret, look, world) : isAtHome(viewer, secret);

/** To other servers that do not sign. */
export const documents: Readonly<Record<string, Shows>> = {
  ...alwaysDocuments,
  ...aboutOne,
  '/users/:name/statuses/:id': document,
  '/@:name/:id': document,
  '/@:name': accountFeed,
  '/': front,
  '/public': isInPublic,
  '/public/local': local,
  '/public/remote': remote,
  '/tags/:name': tagged,
};

/** To people with browsers, signed in or not. */
export const pages: Readonly<Record<string, Shows>> = {
  ...alwaysDocuments,
  ...aboutOne,
  '/': front,
  '/public': isInPublic,
  '/public/local': local,
  '/public/remote': remote,
  '/tags/:name': tagged,
  '/bookmarks': kept,
  '/favourites': kept,
  '/notifications': notified,
  '/notifications/mentions': (viewer, secret, look, world) =>
    secret.mentions && viewer !== secret.author && notified(viewer, secret, look, world),
  '/conversations': conversing,
  '/lists/:id': (viewer, secret, { about }, { lists }) => about === lists.get(viewer) && isAtHome(viewer, secret),
  '/@:name': profile,
  '/@:name/:id': (viewer, secret, { about }, { roots }) =>
    maySee(viewer, secret) && (about === secret.id || (about === roots[secret.author] && !hidesDomain(viewer, secret))),
  // The far author has let nobody quote.
  '/web/statuses/:id/quote': (viewer, secret, { about }) =>
    about === secret.id &&
    viewer !== 'nobody' &&
    secret.author === 'author' &&
    maySee(viewer, secret) &&
    (viewer === 'author' ? secret.visibility !== 'direct' : isForEverybody(secret)),
  '/web/statuses/:id/edit': (viewer, secret, { about }) => about === secret.id && viewer === secret.author,
};

/** These end after some entries, and a profile has the answers on a page of their own. */
const isCutOff = ({ path, about }: Pick<Look, 'path' | 'about'>) =>
  path === '/' ||
  path === '/notifications' ||
  path.startsWith('/lists/') ||
  path === `/@${about}` ||
  path === '/@far@far.example' ||
  /^\/@.*\?page=true$/.test(path);

/** Every address of a route; of pages of staff one, for whoever is none: they are refused before anything is looked for. */
export function pageLooksOf(
  route: RawRoute<GatewayServices>,
  viewer: Viewer,
  world: World,
  accept = 'text/html',
): Look[] {
  const every = addressesOf(route, world);
  const named = route.path.startsWith('/admin') && viewer !== 'staff' ? every.slice(0, 1) : every;
  return named.map((address) => ({ ...address, method: 'GET', accept, isNarrowed: isCutOff(address) }));
}

/** Of the author here, of the one far away, and of all their statuses. */
function addressesOf({ path }: RawRoute<GatewayServices>, world: World): Pick<Look, 'path' | 'about'>[] {
  const { secrets, roots, lists } = world;
  const fill = (name: string, id: string) => path.replace(':name', name).replace(':id', id);
  if (/collections\/:id$/.test(path)) return world.curated.map(({ id }) => ({ path: fill('author', id), about: id }));
  if (path.startsWith('/tags'))
    return [
      { path: fill('secret', ''), about: undefined },
      { path: fill('secret.rss', ''), about: 'feed' },
    ];
  if (path.startsWith('/lists/:id')) return [...lists.values()].map((id) => ({ path: fill('', id), about: id }));
  const handle = (author: string) => (author === 'far' ? 'far@far.example' : author);
  if (path.includes(':id'))
    return [...secrets, ...Object.entries(roots).map(([author, id]) => ({ author, id }))].map(({ author, id }) => ({
      path: fill(handle(author), id),
      about: id,
    }));
  if (path.includes(':name')) {
    const feeds = path === '/@:name' ? ['author.rss', 'far@far.example.rss'] : [];
    const ofPages = (['author', 'far'] as const).flatMap((author) => [
      { path: fill(handle(author), ''), about: author },
      { path: `${fill(handle(author), '')}?replies=1`, about: `${author}?replies=1` },
      { path: `${fill(handle(author), '')}?page=true`, about: `${author}?page=true` },
    ]);
    return [...ofPages, ...feeds.map((name) => ({ path: fill(name, ''), about: name }))];
  }
  return [{ path, about: undefined }];
}
