/** For staff.test.ts: what the operations of relays, our own and those of others, are called with. */
import { generateKeyPairSync } from 'node:crypto';
import { Relay, relayKey } from '../../src/actors/relay/relay.messages.ts';
import { operator } from '../../src/operations/caller.ts';
import { joinRelay } from '../../src/operations/relay/joined-relays.ts';
import type { Callers } from './callers.ts';

const host = 'birds.example';
const [actor, inbox] = [`https://${host}/actor`, `https://${host}/inbox`];
const follower = { form: 'public' as const, actor, inbox, postsInbox: inbox, follow: '{}' };
const address = 'https://relay.example/inbox';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export function relayInputs(callers: () => Callers): Readonly<Record<string, () => unknown>> {
  const tell = (message: Parameters<Callers['people']['server']['callNow']>[0]) =>
    callers().people.server.callNow(message);
  const follow = () => tell(Relay.follow.to(relayKey, { host, follower, mode: 'open' }));
  /** A subscriber that has failed for long. */
  const subscriber = async () => {
    follow();
    const lane = { host: 1, cursor: 0, ahead: [], failures: 9, failingSince: 1 };
    tell(Relay.progressed.to(relayKey, { reader: 0, readers: 1, lanes: [lane], floor: 1 }));
    return { host };
  };
  return {
    admitSubscriber: () => ({ host }),
    examineSubscriber: () => ({ host }),
    importRelayKey: () => ({ pem: privateKey.export({ type: 'pkcs1', format: 'pem' }) }),
    importSubscribers: () => ({ subscribers: [{ inbox, actor, followId: `https://${host}/1` }] }),
    filterSubscriber: async () => ({ ...(await subscriber()), takes: { tags: ['birds'] } }),
    joinRelay: () => ({ address }),
    leaveRelay: async () => ({
      relay: (await joinRelay({ caller: operator, services: callers().services }, { address })).id,
    }),
    listJoinedRelays: () => ({}),
    listSubscribers: () => ({}),
    pruneSubscribers: async () => {
      follow();
      await subscriber();
      return { days: 1, isDryRun: false };
    },
    rejectSubscriber: subscriber,
    removeSubscriber: subscriber,
  };
}
