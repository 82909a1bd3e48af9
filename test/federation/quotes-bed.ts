/** Setup for tests of federated quotes: alice, and documents as other servers send them. */

import { Account } from '../../src/actors/account/account.messages.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { plainPost } from '../support/plain-post.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { home } from './inbound-bed.ts';
import { soundBed } from './sound-bed.ts';

export const everybody = { quoteApproval: { automatic: ['public'], manual: [] } } satisfies Partial<PublishStatus>;

export async function bedOfAlice() {
  const bed = soundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const view = (statusId: bigint) => findStatus(bed.read, statusId)!;
  /** Newest first; those that are filtered in brackets. */
  const notified = () =>
    storedNotifications(bed.read, alice, { includeFiltered: true }, { limit: 40 }, (_id, { type }, isFiltered) =>
      isFiltered ? `(${type})` : type,
    ).items;
  const post = async (more: Partial<PublishStatus> = everybody) => {
    const { statusId } = await bed.gateway.actors.call(Account.publish.to(alice, plainPost('Original', more)));
    return { statusId, uri: `${home}/users/alice/statuses/${statusId}` };
  };
  const as = () => ({
    caller: { kind: 'account' as const, accountId: alice, limits: unlimited },
    services: bed.gateway.services,
  });
  const quoteOf = (note: { id?: unknown }) => bed.stored(note.id)?.quote;
  const authorization = (quoteId: bigint | undefined) => `/users/alice/quote_authorizations/${quoteId}`;
  const fetched = async (path: string) => {
    const response = await bed.gateway.fetch(path, { headers: { accept: 'application/activity+json' } } as never);
    return { status: response.status, body: response.status === 200 ? await response.json() : undefined };
  };
  return { bed, alice, bob, view, notified, sent: () => bed.sent(), post, as, quoteOf, authorization, fetched };
}
