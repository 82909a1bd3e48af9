/** A relay with a subscriber on each server of a fleet, which have proved to take a signature for all, and one that sends. */
import { Relay, relayKey } from '../../src/actors/relay/relay.messages.ts';
import { flowOfHost } from '../../src/services/services.ts';
import { remotePerson } from '../load/remote/people.ts';
import type { Seed } from './cache.ts';
import { partitions } from './community.ts';
import type { CorrespondenceSize } from './correspondence.ts';
import { inFlight } from './in-flight.ts';
import { openOwners } from './owners.ts';

export interface RelayFacts {
  /** The number of the server that sends. */
  readonly sender: number;
}

export function relaySeed({ servers, port }: Pick<CorrespondenceSize, 'servers' | 'port'>): Seed<RelayFacts> {
  return {
    name: 'relay',
    parameters: { servers, port, partitions },
    async build(dataDirectory) {
      const owners = await openOwners({ dataDirectory, partitions });
      await inFlight(servers + 1, async (number) => {
        const { host } = remotePerson(number, port);
        const actor = `http://${host}/actor`;
        const inboxes = { inbox: `http://${host}/actor/inbox`, postsInbox: `http://${host}/inbox` };
        const follower = { form: 'public' as const, actor, ...inboxes, follow: '{}' };
        await owners.call(Relay.follow.to(relayKey, { host, follower, mode: 'open' }), flowOfHost(host));
        await owners.call(Relay.signatureLearned.to(relayKey, { host, takesShared: true }), flowOfHost(host));
      });
      await owners.close();
      return { sender: servers };
    },
  };
}
