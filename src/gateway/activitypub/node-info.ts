/** NodeInfo 2.0 (specification section 2.2) with exactly its keys, and the document that links to it. */

import { activeSubscriptions } from '../../actors/relay/relay.queries.ts';
import { settingsOf } from '../../operations/instance/settings.ts';
import { currentUsage } from '../../operations/instance/usage.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { Services } from '../../services/services.ts';
import { software } from '../../services/software.ts';
import { type Answer, bytes } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';

const schema = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
const nodeInfoType = `application/json; profile="${schema}#"; charset=utf-8`;
const linksType = 'application/json; charset=utf-8';
/** The software whose API is served: megalodon, the library of Whalebird and Fedistar, only accepts names it knows. */
const upstream = { name: 'mastodon' };
const headers = { 'Cache-Control': 'public, max-age=300' };

export function getNodeInfoLinks({ services }: RawContext<Services>): Answer {
  const links = [{ rel: schema, href: `${services.addresses.origin}/nodeinfo/2.0` }];
  return bytes(JSON.stringify({ links }), { contentType: linksType, headers });
}

export function getNodeInfo({ services }: RawContext<Services>): Answer {
  return bytes(JSON.stringify(nodeInfo(services)), { contentType: nodeInfoType, headers });
}

function nodeInfo(services: Pick<Services, 'snapshots' | 'options' | 'members' | keyof Clock>): JsonObject {
  const { users, activeMonth, activeHalfyear, statuses } = currentUsage(services);
  const { title, description, registrations } = settingsOf(services);
  const isRelay = services.options.relay === 'only';
  return {
    version: '2.0',
    software: { name: software.name, version: software.version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: registrations === 'open',
    usage: isRelay
      ? // Lists of relays read the number of subscribers there (behaviour of other relays).
        { users: { total: activeSubscriptions(services.snapshots), activeMonth: 0, activeHalfyear: 0 }, localPosts: 0 }
      : { users: { total: users, activeMonth, activeHalfyear }, localPosts: statuses },
    // Directories of servers show the first two (behaviour of Mastodon).
    metadata: { nodeName: title, nodeDescription: description, upstream },
  };
}
