/** Addresses that others know, each of which leads to a page of ours. */
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { type Fields, queryFields } from '../oauth/forms.ts';
import { type RawRoute, rawRoute } from '../route.ts';

function wayIn(path: string, leadsTo: (query: Fields, name: string) => string): RawRoute<GatewayServices> {
  const handler = ({ request, pathParameters }: RawContext<GatewayServices>) =>
    redirect(leadsTo(queryFields(request.query), pathParameters.name ?? ''));
  return rawRoute({ method: 'GET', path, handler });
}

/** Pages of Mastodon, which its applications and people's bookmarks open, with the page here that serves the same end. */
const pagesOfMastodon: readonly (readonly [path: string, page: string])[] = [
  ['/home', '/'],
  ['/web/home', '/'],
  ['/getting-started', '/'],
  ['/publish', '/share'],
  ['/explore/suggestions', '/explore/people'],
  ['/explore/*rest', '/explore'],
  ['/directory', '/explore/people'],
  ['/search', '/web/find'],
  ['/about/more', '/about'],
  ['/terms', '/privacy-policy'],
  ['/auth/edit', '/settings#password'],
  ['/auth/password/edit', '/settings#password'],
  ['/oauth/authorized_applications', '/settings'],
  ['/settings/migration', '/settings/moving'],
  ['/settings/aliases', '/settings/moving'],
  ['/statuses_cleanup', '/settings/statuses_cleanup'],
  ['/settings/*rest', '/settings'],
];

export const waysIn: readonly RawRoute<GatewayServices>[] = [
  /** Where password managers send users (W3C: A Well-Known URL for Changing Passwords). */
  wayIn('/.well-known/change-password', () => '/settings#password'),
  /** Where other servers send people who want to follow or answer somebody; WebFinger names it. */
  wayIn('/authorize_interaction', (query) => findPath(query.get('uri') ?? query.get('acct') ?? '')),
  ...pagesOfMastodon.map(([path, page]) => wayIn(path, () => page)),
  wayIn('/@:name/with_replies', (_query, name) => `${profilePath(name)}?replies=1`),
  wayIn('/@:name/media', (_query, name) => `${profilePath(name)}?media=1`),
  wayIn('/@:name/featured', (_query, name) => profilePath(name)),
];

function profilePath(name: string): string {
  return `/@${encodeURIComponent(name).replace('%40', '@')}`;
}

function findPath(given: string): string {
  const words = given.replace(/^acct:/i, '');
  return words === '' ? '/web/find' : `/web/find?${new URLSearchParams({ handle: words })}`;
}
