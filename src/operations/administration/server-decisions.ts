/** What staff decide about another server besides its rule, one operation each. */
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import type { ServerPurge } from '../../actors/instance/servers/servers.records.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { otherDomain } from './domain-names.ts';

/** A host[:port]. */
const input = z.object({ domain: z.string() });
const permission = 'manageFederation';

/** Throws Failure validation for what is no other server. */
const on = ({ services }: { readonly services: Services }, { domain }: z.output<typeof input>) =>
  otherDomain(services, domain);

/** What is to be delivered to the server and its subdomains waits, as long as for a server that does not answer. */
export const stopDelivery = operation({
  input,
  permission,
  audit: 'stopDelivery',
  on,
  async run({ caller, services, audit }, _given, domain): Promise<void> {
    const { accountId: byId } = caller;
    await services.client.call(Instance.stopDelivery.to(instanceKey, { domain, byId, audit }), flowOf(caller));
  },
});

/** What waits is tried at once: also where deliveries were not stopped, and fail. */
export const restartDelivery = operation({
  input,
  permission,
  audit: 'restartDelivery',
  on,
  async run({ caller, services, audit }, _given, domain): Promise<void> {
    await services.client.call(Instance.restartDelivery.to(instanceKey, { domain, audit }), flowOf(caller));
  },
});

/** The server counts as one that never failed. Deliveries that are stopped stay so. */
export const clearDeliveryFailures = operation({
  input,
  permission,
  audit: 'clearDeliveryFailures',
  on,
  async run({ caller, services, audit }, _given, domain): Promise<void> {
    await services.client.call(Instance.clearDeliveryFailures.to(instanceKey, { domain, audit }), flowOf(caller));
  },
});

/**
 * Everything goes that the accounts of the server have left here: posts, follows, favourites, and then copies of files
 * (purge-slice.ts). It takes a while. Accounts that show themselves again are new ones. Subdomains are other servers.
 */
export const purgeServer = operation({
  input,
  permission,
  audit: 'purgeServer',
  on,
  async run({ caller, services, audit }, _given, domain): Promise<ServerPurge> {
    return services.client.call(Instance.purgeServer.to(instanceKey, { domain, audit }), flowOf(caller));
  },
});
