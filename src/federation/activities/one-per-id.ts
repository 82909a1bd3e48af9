/**
 * One status for an ActivityPub id. Before anything is stored its id is looked up in all partitions, but accounts of one
 * host (an author and a blog, say) may publish under one id at the same moment: each is in another partition, and neither
 * is found yet. Whoever is stored last finds both, and the one in the first partition stays.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { isUriElsewhere, statusIdsOfUri } from '../../actors/account/statuses/statuses.queries.ts';
import { callFor, type Outcome, type Received } from './inbound.ts';

/** `stored` settles when the status, or the boost, with this id was stored. Settles with its outcome. */
export async function onePerId(received: Received, uri: string, stored: Promise<Outcome>): Promise<Outcome> {
  const outcome = await stored;
  const { snapshots } = received.inbound;
  if (!isUriElsewhere(snapshots, uri, received.actor.id)) return outcome;
  const [, ...others] = statusIdsOfUri(snapshots, uri);
  for (const statusId of others) {
    const accountId = findStatusRecord(snapshots, statusId)?.accountId;
    if (accountId !== undefined) await callFor(received, Account.receiveDelete.to(accountId, { uri }));
  }
  return outcome;
}
