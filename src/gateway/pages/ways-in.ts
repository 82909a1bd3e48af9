/** Addresses that others know, each of which leads to a page of ours. */
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { type Fields, queryFields } from '../oauth/forms.ts';
import { type RawRoute, rawRoute } from '../route.ts';

function wayIn(path: string, leadsTo: (query: Fields) => string): RawRoute<GatewayServices> {
  const handler = ({ request }: RawContext<GatewayServices>) => redirect(leadsTo(queryFields(request.query)));
  return rawRoute({ method: 'GET', path, handler });
}

export const waysIn: readonly RawRoute<GatewayServices>[] = [
  /** Where password managers send users (W3C: A Well-Known URL for Changing Passwords). */
  wayIn('/.well-known/change-password', () => '/settings#password'),
  /** Where other servers send people who want to follow or answer somebody; WebFinger names it. */
  wayIn('/authorize_interaction', (query) => findPath(query.get('uri') ?? query.get('acct') ?? '')),
  /** The home page of Mastodon. */
  wayIn('/home', () => '/'),
  wayIn('/web/home', () => '/'),
];

function findPath(given: string): string {
  const words = given.replace(/^acct:/i, '');
  return words === '' ? '/web/find' : `/web/find?${new URLSearchParams({ handle: words })}`;
}
