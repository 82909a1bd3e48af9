/** Other servers as this one knows them, and deliveries to them, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import {
  clearDeliveryFailures,
  purgeServer,
  restartDelivery,
  stopDelivery,
} from '../../../operations/administration/server-decisions.ts';
import {
  listServers,
  serverAvailabilities,
  serverPolicies,
  serversListedMax,
  showServer,
} from '../../../operations/administration/servers.ts';
import {
  AdminPurgeEntity,
  AdminServerEntity,
  adminPurgeEntity,
  adminServerEntity,
} from '../../entities/admin/servers.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty, json } from '../../http/answers.ts';
import { offsetHeaders } from '../../http/pagination.ts';
import { choice, limit, offsetUpTo, required, text, textUpTo } from '../../http/parameter-types.ts';
import type { Endpoint } from '../../route.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const path = '/api/murmuration/v1/admin/instances';
const named = z.object({ id: required(text) });

const getServers = staffEndpoint(listServers, {
  scopes: ['admin:read'],
  method: 'GET',
  path,
  parameters: z.object({
    offset: offsetUpTo(100_000),
    limit: limit(100, serversListedMax),
    by_domain: textUpTo(255),
    policy: choice(serverPolicies),
    availability: choice(serverAvailabilities),
  }),
  summary: 'Lists the servers whose accounts are known here, those with most accounts first.',
  answer: z.array(AdminServerEntity),
  async handler(context, { offset = 0, limit: size, by_domain: domain, policy, availability }) {
    const page = await listServers(context, { offset, limit: size, domain: domain || undefined, policy, availability });
    const headers = offsetHeaders(context.request, { offset, limit: size, hasMore: page.hasMore });
    return json(page.items.map(adminServerEntity), { headers });
  },
});

const getServer = staffEndpoint(showServer, {
  scopes: ['admin:read'],
  method: 'GET',
  path: `${path}/:id`,
  parameters: named,
  summary: 'Shows what is known here of another server, by its domain.',
  answer: AdminServerEntity,
  handler: async (context, { id: domain }) => json(adminServerEntity(await showServer(context, { domain }))),
});

const decisions = {
  stop_delivery: { decide: stopDelivery, summary: 'What is to be delivered to a server waits from now on.' },
  restart_delivery: { decide: restartDelivery, summary: 'What waits for a server is tried at once.' },
  clear_delivery_errors: { decide: clearDeliveryFailures, summary: 'Forgets that deliveries to a server have failed.' },
} as const;

const decisionEndpoints = Object.entries(decisions).map(
  ([name, { decide, summary }]): Endpoint<GatewayServices> =>
    staffEndpoint(decide, {
      scopes: ['admin:write'],
      method: 'POST',
      path: `${path}/:id/${name}`,
      parameters: named,
      summary,
      answer: EmptyEntity,
      async handler(context, { id: domain }) {
        await decide(context, { domain });
        return empty();
      },
    }),
);

const deleteServer = staffEndpoint(purgeServer, {
  scopes: ['admin:write'],
  method: 'DELETE',
  path: `${path}/:id`,
  parameters: named,
  summary: 'Begins to remove everything that the accounts of a server have left here.',
  answer: AdminPurgeEntity,
  handler: async (context, { id: domain }) => json(adminPurgeEntity(await purgeServer(context, { domain }))),
});

export const adminServerEndpoints = [getServers, getServer, ...decisionEndpoints, deleteServer];
