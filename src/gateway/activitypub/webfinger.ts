/** The WebFinger server (RFC 7033), and host-meta (RFC 6415). The client is federation/webfinger. */

import { activityLimits } from '../../federation/limits.ts';
import { relayUsername } from '../../federation/relay/relay-document.ts';
import { normaliseHost } from '../../federation/webfinger/handle.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { Services } from '../../services/services.ts';
import { type Answer, bytes, json } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { queryValue } from '../http/parameters/urlencoded.ts';
import { localActor } from './find.ts';

const jrdType = 'application/jrd+json; charset=utf-8';
const xrdType = 'application/xrd+xml; charset=utf-8';
const headers = { 'Cache-Control': `public, max-age=${activityLimits.documentAgeSeconds}` };

/** Throws parameterMissing without a resource, notFound and gone as `localActor` does. */
export function getWebFinger({ request, services }: RawContext<Services>): Answer {
  const resource = queryValue(request.query, 'resource');
  if (resource === undefined || resource === '') throw new Failure('parameterMissing');
  const { addresses, snapshots, options } = services;
  const username = usernameOf(resource, addresses);
  if (username === undefined && resource !== addresses.relayActor) throw new Failure('notFound');
  const isRelay = username === undefined || username === relayUsername;
  if ((options.relay !== 'off' && isRelay) || (options.relay === 'only' && username === addresses.domain))
    return bytes(JSON.stringify(relayDescriptor(addresses)), { contentType: jrdType, headers });
  if (username === undefined) throw new Failure('notFound');
  const descriptor =
    username === addresses.domain
      ? instanceDescriptor(addresses)
      : accountDescriptor(addresses, localActor(snapshots, username).profile.username);
  return bytes(JSON.stringify(descriptor), { contentType: jrdType, headers });
}

/**
 * `acct:user@host` in any case, a bare handle, or an address of the actor; the host itself stands for the server's
 * actor.
 */
function usernameOf(resource: string, addresses: Addresses): string | undefined {
  if (resource === addresses.instanceActor || resource === `${addresses.origin}/` || resource === addresses.origin)
    return addresses.domain;
  if (/^https?:/i.test(resource)) return addresses.usernameOf(resource);
  const handle = resource.replace(/^acct:/i, '').replace(/^@/, '');
  const at = handle.lastIndexOf('@');
  const host = at > 0 ? normaliseHost(handle.slice(at + 1)) : undefined;
  if (host === undefined || !addresses.isOwnHost(host)) return undefined;
  const username = handle.slice(0, at).toLowerCase();
  return username === addresses.host ? addresses.domain : username;
}

function accountDescriptor(addresses: Addresses, username: string): JsonObject {
  const actor = addresses.actor(username);
  const profile = addresses.profile(username);
  return {
    subject: `acct:${username}@${addresses.domain}`,
    aliases: [profile, actor],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: profile },
      { rel: 'self', type: 'application/activity+json', href: actor },
      // Where an account of this server begins to follow somebody (gateway/pages/ways-in.ts).
      {
        rel: 'http://ostatus.org/schema/1.0/subscribe',
        template: `${addresses.origin}/authorize_interaction?uri={uri}`,
      },
    ],
  };
}

function instanceDescriptor(addresses: Addresses): JsonObject {
  const actor = addresses.instanceActor;
  return {
    subject: `acct:${addresses.domain}@${addresses.domain}`,
    aliases: [actor],
    links: [{ rel: 'self', type: 'application/activity+json', href: actor }],
  };
}

/** The name of the relay wins over an account of that name: it was chosen by the operator. */
function relayDescriptor(addresses: Addresses): JsonObject {
  const actor = addresses.relayActor;
  return {
    subject: `acct:${relayUsername}@${addresses.domain}`,
    aliases: [actor],
    links: [{ rel: 'self', type: 'application/activity+json', href: actor }],
  };
}

/** In JSON at `host-meta.json` (RFC 6415, appendix A). */
export function getHostMeta({ request, services }: RawContext<Services>): Answer {
  const template = `${services.addresses.origin}/.well-known/webfinger?resource={uri}`;
  if (request.path.endsWith('.json')) return json({ links: [{ rel: 'lrdd', template }] }, { headers });
  const document =
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">\n' +
    `  <Link rel="lrdd" template="${template.replaceAll('&', '&amp;')}"/>\n` +
    '</XRD>\n';
  return bytes(document, { contentType: xrdType, headers });
}
