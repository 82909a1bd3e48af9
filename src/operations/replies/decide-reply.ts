/** Agrees to a reply that waits for the caller, or refuses it: then its author alone keeps it. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { findReplyRequest } from '../../actors/account/reply-requests/reply-requests.queries.ts';
import { isLocal } from '../../actors/account/statuses/statuses.records.ts';
import type { Destination } from '../../actors/intents.ts';
import { releasedFormOf } from '../../actors/policy/held-replies.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { destinationsOfStatus } from '../statuses/own-status.ts';

/** Throws Failure notFound where nothing waits for the caller. */
export const decideReply = operation({
  input: z.object({ replyId: identifier, isAccepted: z.boolean() }),
  permission: 'interact',
  async run({ caller, services }, { replyId, isAccepted }): Promise<{ replyId: Id }> {
    if (findReplyRequest(services.snapshots, caller.accountId, replyId) === undefined) throw new Failure('notFound');
    const destinations = isAccepted ? await destinationsOfReply(services, replyId) : undefined;
    const message = Account.decideReply.to(caller.accountId, { replyId, isAccepted, destinations });
    await services.client.call(message, flowOf(caller));
    return { replyId };
  },
});

/** Of a local one, which other servers get now. */
async function destinationsOfReply(services: Services, replyId: Id): Promise<Destination[] | undefined> {
  const reply = findStatusRecord(services.snapshots, replyId);
  if (reply === undefined || !isLocal(reply)) return undefined;
  return services.slices.run(destinationsOfStatus(services, releasedFormOf(reply)));
}
