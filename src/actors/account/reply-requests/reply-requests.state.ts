/** The keyspaces of requests to reply, owned by the author of what is replied to. */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { agreement, awaits, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { identifier } from '../account.records.ts';
import { owner, withAccount, withStatus } from '../account.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { replyRequestLimits } from './limits.ts';
import { ReplyDecision, ReplyRequest } from './reply-requests.records.ts';

/** Replies that wait or were refused, so that these are not accepted again; and those of which a remote author has proved that it agrees. */
export const replyDecisions = keyspace<[bigint, bigint], ReplyDecision>({
  number: 122,
  name: 'reply decisions',
  owner,
  key: [id('status'), id('reply')],
  value: record(ReplyDecision),
  bound: withStatus,
});

/** Those that wait. */
export const replyRequests = keyspace<[bigint, bigint], ReplyRequest>({
  number: 123,
  name: 'reply requests',
  owner,
  key: [id('account'), id('reply')],
  value: record(ReplyRequest),
  bound: { by: 'count', entries: replyRequestLimits.perAccountMax },
});

const AuthorizedReply = z.object({ statusId: identifier, replyId: identifier });

/** Authorizations by other servers, by address: a Delete names nothing but the address. */
export const replyByAuthorization = keyspace<[bigint, string], z.infer<typeof AuthorizedReply>>({
  number: 126,
  name: 'reply by authorization',
  owner,
  derived: true,
  key: [id('account'), hashedString('authorization')],
  value: record(AuthorizedReply),
  bound: withAccount,
});

export const replyRequestRules: readonly Rule[] = [
  awaits(replyRequests, [Account.replyRequestExpired], {
    isMeant: ([, reply], { replyId }: { readonly replyId: bigint }) => replyId === reply,
  }),
  rule(replyRequests, ([, reply], { statusId }, reader) =>
    reader.get(replyDecisions, [statusId, reply])?.state === 'pending' ? undefined : 'leads to nothing that waits',
  ),
  rule(replyDecisions, ([status, reply], { state }, reader) => {
    const author = reader.get(statuses, [status])?.accountId;
    if (state !== 'pending' || author === undefined) return undefined;
    return reader.get(replyRequests, [author, reply]) === undefined ? 'waits and is in no list' : undefined;
  }),
  rule(replyByAuthorization, ([account], { statusId, replyId }, reader, bytes) => {
    const uri = reader.get(replyDecisions, [statusId, replyId])?.authorizationUri;
    return uri !== undefined && isKey(replyByAuthorization, [account, uri], bytes)
      ? undefined
      : 'leads to no reply that it authorises';
  }),
  agreement(replyDecisions, ([status, reply], { state }, server) => {
    // The entries of a deleted status are removed list by list, in later turns.
    if (state !== 'pending' || server.get(statuses, [status]) === undefined) return undefined;
    return server.get(statuses, [reply])?.heldReply?.state === 'pending' ? undefined : 'is not waited for by the reply';
  }),
];
