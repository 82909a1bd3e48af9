/** The routes of ActivityPub documents, and what browsers get at the same addresses. */
import { Failure } from '../../runtime/errors.ts';
import { parseId, slotOfId } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { RawContext } from '../http/context.ts';
import { failureAnswer } from '../http/failure-answer.ts';
import type { IncomingRequest } from '../http/request.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import { getActor, getInstanceActor, getInstanceOutbox, getRelayActor, getRelayCollection } from './actor.ts';
import { getFeatured, getFeaturedTags, getFollowers, getFollowing, getOutbox } from './collections.ts';
import { wantsActivity } from './content-negotiation.ts';
import {
  getCollectionOfPage,
  getFeatureAuthorization,
  getFeaturedCollection,
  getFeaturedCollections,
  getFeaturedItem,
} from './featured-collections.ts';
import { localActor } from './find.ts';
import { getFollowersSynchronization } from './followers-synchronization.ts';
import { getNodeInfo, getNodeInfoLinks } from './node-info.ts';
import { type Pages, type RawHandler, showPage, toPage } from './pages.ts';
import {
  getLikes,
  getQuoteAuthorization,
  getReplies,
  getReplyAuthorization,
  getShares,
  getStatus,
  getStatusActivity,
} from './status.ts';
import { getHostMeta, getWebFinger } from './webfinger.ts';

type Context = RawContext<GatewayServices>;

/** `pages` serves browsers; without a page they get 406. */
export function documentRoutes(pages: Pages): readonly RawRoute<GatewayServices>[] {
  return [
    get('/.well-known/webfinger', getWebFinger),
    get('/.well-known/host-meta', getHostMeta),
    get('/.well-known/nodeinfo', getNodeInfoLinks),
    get('/nodeinfo/2.0', getNodeInfo),
    get('/actor', getInstanceActor),
    get('/actor/outbox', getInstanceOutbox),
    get('/actor/followers', getRelayCollection),
    get('/relay', byAccept(getRelayActor, relayPageAddress)),
    get('/relay/outbox', getRelayCollection),
    get('/relay/followers', getRelayCollection),
    get('/users/:name', byAccept(getActor, profileAddress)),
    get('/users/:name/statuses/:id', byAccept(getStatus, statusPageAddress)),
    get('/users/:name/statuses/:id/activity', getStatusActivity),
    get('/users/:name/statuses/:id/replies', getReplies),
    get('/users/:name/statuses/:id/likes', getLikes),
    get('/users/:name/statuses/:id/shares', getShares),
    get('/users/:name/quote_authorizations/:id', getQuoteAuthorization),
    get('/users/:name/reply_authorizations/:id', getReplyAuthorization),
    get('/users/:name/feature_authorizations/:id', getFeatureAuthorization),
    get('/users/:name/featured_collections', getFeaturedCollections),
    get('/users/:name/featured_collections/:id', byAccept(getFeaturedCollection, collectionPageAddress)),
    get('/users/:name/featured_collections/:id/items/:item', getFeaturedItem),
    get('/users/:name/outbox', getOutbox),
    get('/users/:name/followers', getFollowers),
    get('/users/:name/following', getFollowing),
    get('/users/:name/followers_synchronization', getFollowersSynchronization),
    get('/users/:name/collections/featured', getFeatured),
    get('/users/:name/collections/tags', getFeaturedTags),
    shared('/@:name', getActor, pages.profile, pages),
    shared('/collections/:id', getCollectionOfPage, pages.collection, pages),
    shared('/@:name/:id', getStatus, pages.status, pages),
  ];
}

function get(path: string, handler: RawHandler): RawRoute<GatewayServices> {
  return rawRoute<GatewayServices>({ method: 'GET', path, handler });
}

function byAccept(document: RawHandler, pageAddress: (context: Context) => string): RawHandler {
  return (context) => (isServer(context.request) ? document(context) : toPage(context, pageAddress(context)));
}

function shared(
  path: string,
  document: RawHandler,
  page: RawHandler | undefined,
  pages: Pages,
): RawRoute<GatewayServices> {
  return rawRoute<GatewayServices>({
    method: 'GET',
    path,
    handler: (context) => (isServer(context.request) ? document(context) : showPage(page, context)),
    failed: (failure, request, services) =>
      pages.failed === undefined || isServer(request)
        ? failureAnswer(failure, 'api')
        : pages.failed(failure, request, services),
  });
}

/** As in Mastodon, the end of the path decides, whatever is accepted: `.json` asks for the document, `.rss` for a page. */
function isServer(request: IncomingRequest): boolean {
  if (request.path.endsWith('.rss')) return false;
  return request.path.endsWith('.json') || wantsActivity(request.joinedHeader('accept'));
}

function profileAddress({ services, pathParameters }: Context): string {
  return services.addresses.profile(localActor(services.snapshots, pathParameters.name).profile.username);
}

function relayPageAddress({ services }: Context): string {
  return `${services.addresses.origin}/relay/status`;
}

/**
 * Whether the status exists, and for whom, is decided by the page; an address that cannot be a status of the account
 * has no page. Throws notFound for that.
 */
function statusPageAddress({ services, pathParameters }: Context): string {
  const { profile } = localActor(services.snapshots, pathParameters.name);
  const statusId = parseId(pathParameters.id ?? '');
  if (statusId === undefined || slotOfId(statusId) !== slotOfId(profile.id)) throw new Failure('notFound');
  return services.addresses.statusPage(profile.username, statusId);
}

/** Throws notFound for an address that cannot be a collection of the account. */
function collectionPageAddress({ services, pathParameters }: Context): string {
  const { profile } = localActor(services.snapshots, pathParameters.name);
  const collectionId = parseId(pathParameters.id ?? '');
  if (collectionId === undefined || slotOfId(collectionId) !== slotOfId(profile.id)) throw new Failure('notFound');
  return services.addresses.collectionPage(collectionId);
}
