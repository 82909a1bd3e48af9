/** Takes a reply out of the thread of a status of the caller: it stays with its author, and answers nothing any more. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { authorizedReply } from '../../actors/account/reply-requests/reply-requests.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { visibleStatus } from '../statuses/visible-status.ts';

export const revokeReply = operation({
  input: z.object({ replyId: identifier }),
  permission: 'interact',
  /** Throws Failure notFound for what answers nothing of the caller's. */
  async run({ caller, services }, { replyId }): Promise<{ replyId: Id }> {
    const { snapshots, client } = services;
    const { status: reply } = visibleStatus(services, replyId, caller.accountId);
    const statusId = authorizedReply(snapshots, caller.accountId, replyId);
    if (statusId === undefined || reply.accountId === caller.accountId) throw new Failure('notFound');
    const profile = findProfile(snapshots, reply.accountId);
    const byDestination = profile === undefined ? undefined : destinationOf(profile);
    await client.call(Account.revokeReply.to(caller.accountId, { statusId, replyId, byDestination }), flowOf(caller));
    return { replyId };
  },
});
