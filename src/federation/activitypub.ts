/** The ActivityPub services of one thread: created at the first request, kept as long as the thread. */
import { dialectsOf } from '../outbound/signatures/dialects.ts';
import type { Clock, Problem } from '../runtime/ports.ts';
import { domainPolicy } from '../services/domain-policy.ts';
import { joinedRelaysOf } from '../services/joined-relays.ts';
import { member } from '../services/members.ts';
import type { Services } from '../services/services.ts';
import { AccountKeys } from './account-keys.ts';
import type { Inbound } from './activities/inbound.ts';
import { DocumentCache } from './document-cache.ts';
import { HeardHosts } from './inbox/heard-hosts.ts';
import { Inbox } from './inbox/inbox.ts';
import { PassedOn } from './inbox/passed-on.ts';
import { RecentActivities } from './inbox/recent-activities.ts';
import { relayReceiptsOf } from './inbox/relay-receipts.ts';
import { Signers } from './inbox/signers.ts';
import { KnownAccounts } from './known-accounts.ts';

export interface ActivityPub {
  readonly accounts: KnownAccounts;
  readonly keys: AccountKeys;
  readonly signers: Signers;
  readonly heardHosts: HeardHosts;
  readonly inbox: Inbox;
  readonly documents: DocumentCache;
}

/** The parts of `Services` that ActivityPub needs. */
export type ActivityPubServices = Pick<
  Services,
  | (
      | 'addresses'
      | 'options'
      | 'snapshots'
      | 'cleanHtml'
      | 'events'
      | 'caches'
      | 'resolver'
      | 'deliveryLanes'
      | 'passedOn'
      | 'signedDocuments'
      | 'members'
      | 'report'
    )
  | keyof Clock
> & { readonly client: Pick<Services['client'], 'call'> };

export const activityPubOf = member(createActivityPub);

function createActivityPub(services: ActivityPubServices): ActivityPub {
  const { addresses, options, snapshots, client, cleanHtml, events, caches, resolver } = services;
  const now = () => services.now();
  const monotonic = () => services.monotonic();
  const accounts = new KnownAccounts(services);
  const policy = () => domainPolicy(services);
  const inbound: Inbound = { addresses, options, snapshots, client, cleanHtml, accounts, policy, now };
  const heardHosts = new HeardHosts(services);
  const signers = new Signers({ accounts, snapshots, caches, resolver, monotonic });
  const recent = new RecentActivities(caches.bytesMax('recentActivities'));
  caches.measure('recentActivities', recent);
  const relays = () => joinedRelaysOf(services);
  const { passedOn: network, signedDocuments } = services;
  const report = (problem: Problem) => services.report(problem);
  const passedOn = new PassedOn({
    ...{ inbound, signers, recent, relays, network, resolver, signedDocuments, monotonic, report },
    receipts: relayReceiptsOf(services),
  });
  const documents = new DocumentCache(events, caches.bytesMax('documents'));
  caches.measure('documents', documents);
  return {
    accounts,
    keys: new AccountKeys(services),
    signers,
    heardHosts,
    inbox: new Inbox({ inbound, signers, heardHosts, recent, passedOn, relays, dialects: dialectsOf(services) }),
    documents,
  };
}
