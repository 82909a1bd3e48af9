/** The endpoints of the relays that this server joins. The Mastodon API has none: they are our own, in its forms. */
import { z } from 'zod';
import type { JoinedRelay } from '../../../actors/relay/joined/joined.records.ts';
import { joinRelay, leaveRelay, listJoinedRelays } from '../../../operations/relay/joined-relays.ts';
import { AdminRelayEntity, adminRelayEntity } from '../../entities/admin/relays.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { id, required, text } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const path = '/api/v1/admin/relays';

/** As it is answered where it was joined just now. */
const newRelay = (relay: JoinedRelay) => ({ relay, receipts: undefined, lane: undefined });

const getRelays = staffEndpoint(listJoinedRelays, {
  scopes: ['admin:read'],
  method: 'GET',
  path,
  summary: 'Lists the relays that this server has joined.',
  answer: z.array(AdminRelayEntity),
  handler: async (context) => json((await listJoinedRelays(context, {})).map(adminRelayEntity)),
});

const postRelay = staffEndpoint(joinRelay, {
  scopes: ['admin:write'],
  method: 'POST',
  path,
  parameters: z.object({ inbox_url: required(text) }),
  summary: 'Joins a relay, by the address of its inbox or of its actor; asks again where it has not accepted.',
  answer: AdminRelayEntity,
  handler: async (context, { inbox_url: address }) =>
    json(adminRelayEntity(newRelay(await joinRelay(context, { address })))),
});

const deleteRelay = staffEndpoint(leaveRelay, {
  scopes: ['admin:write'],
  method: 'DELETE',
  path: `${path}/:id`,
  parameters: z.object({ id }),
  summary: 'Leaves a relay.',
  answer: EmptyEntity,
  async handler(context, { id: relay }) {
    await leaveRelay(context, { relay });
    return empty();
  },
});

export const adminRelayEndpoints = [getRelays, postRelay, deleteRelay];
