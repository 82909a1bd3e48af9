/** Replies that wait for the user's consent (GoToSocial's API, whose clients know it): listed, shown, accepted and rejected. */
import { z } from 'zod';
import { findStatusRecord } from '../../../actors/account/remote/federation.queries.ts';
import { findReplyRequest, replyRequestsOf } from '../../../actors/account/reply-requests/reply-requests.queries.ts';
import type { ReplyRequest } from '../../../actors/account/reply-requests/reply-requests.records.ts';
import { replyAuthorizationAddress } from '../../../federation/local-addresses.ts';
import { decideReply } from '../../../operations/replies/decide-reply.ts';
import { revokeReply } from '../../../operations/replies/revoke-reply.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { InteractionRequestEntity } from '../../entities/interaction-request.ts';
import { timestamp } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { boolean, id, optionalId, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';

type Context = UserContext<GatewayServices>;
type Entity = z.output<typeof InteractionRequestEntity>;
type Statuses = ReturnType<typeof shownTo>;

/** Encodes statuses for the user; undefined for one that is not shown. */
function shownTo({ services, grant }: Context) {
  const show = services.presenter.each(grant.accountId, 'single');
  return (statusId: Id): Entity['reply'] | undefined => {
    const shown = show(statusId);
    return shown && JSON.parse(services.answers.status(shown).toString());
  };
}

function entityOf(statuses: Statuses, replyId: Id, { statusId, createdAt }: ReplyRequest): Entity | undefined {
  const [status, reply] = [statusId, replyId].map(statuses);
  if (status === undefined || reply === undefined) return undefined;
  const { account } = reply;
  return { id: `${replyId}`, type: 'reply', created_at: timestamp(createdAt), account, status, reply };
}

/** Throws notFound for what does not wait for the user. */
function waiting(context: Context, replyId: Id): Entity {
  const { services, grant } = context;
  const request = findReplyRequest(services.snapshots, grant.accountId, replyId);
  const entity = request && entityOf(shownTo(context), replyId, request);
  if (entity === undefined) throw new Failure('notFound');
  return entity;
}

export const getInteractionRequests = endpoint({
  method: 'GET',
  path: '/api/v1/interaction_requests',
  authentication: 'user',
  scopes: ['read:notifications'],
  parameters: z.object({
    status_id: optionalId,
    favourites: boolean,
    replies: boolean,
    reblogs: boolean,
    ...pageParameters(40, 80),
  }),
  summary: 'Lists the replies to statuses of the user that wait for consent, latest first.',
  answer: z.array(InteractionRequestEntity),
  handler(context, { status_id: statusId, favourites, replies, reblogs, ...page }) {
    if (favourites === false && replies === false && reblogs === false)
      throw validationFailure('At least one of favourites, replies and reblogs must be true');
    const { services, grant } = context;
    const statuses = shownTo(context);
    const show = (replyId: Id, request: ReplyRequest) =>
      replies === false || (statusId !== undefined && request.statusId !== statusId)
        ? undefined
        : entityOf(statuses, replyId, request);
    return answerFilledPage(
      boundsOf(page),
      (bounds) => replyRequestsOf(services.snapshots, grant.accountId, bounds, show),
      (found) => json(found.items, { headers: pageHeaders(context.request, found, page.limit, 'min_id') }),
    );
  },
});

export const getInteractionRequest = endpoint({
  method: 'GET',
  path: '/api/v1/interaction_requests/:id',
  authentication: 'user',
  scopes: ['read:notifications'],
  parameters: z.object({ id }),
  summary: 'Returns a reply that waits for the consent of the user.',
  answer: InteractionRequestEntity,
  handler: (context, { id: replyId }) => json(waiting(context, replyId)),
});

export const postAuthorize = endpoint({
  method: 'POST',
  path: '/api/v1/interaction_requests/:id/authorize',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ id }),
  summary: 'Agrees to a reply: everybody is shown it now who may read it.',
  answer: InteractionRequestEntity,
  async handler(context, { id: replyId }) {
    const { services, grant } = context;
    const request = findReplyRequest(services.snapshots, grant.accountId, replyId);
    await decideReply(context, { replyId, isAccepted: true });
    const entity = request && entityOf(shownTo(context), replyId, request);
    if (entity === undefined) throw new Failure('notFound');
    const { username } = entity.status.account;
    const uri = replyAuthorizationAddress(services.addresses, username, replyId);
    return json({ ...entity, accepted_at: timestamp(services.now()), uri });
  },
});

export const postReject = endpoint({
  method: 'POST',
  path: '/api/v1/interaction_requests/:id/reject',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ id }),
  summary: 'Refuses a reply; one that was accepted leaves the thread.',
  answer: InteractionRequestEntity,
  async handler(context, { id: replyId }) {
    const { services, grant } = context;
    const { snapshots } = services;
    const isWaiting = findReplyRequest(snapshots, grant.accountId, replyId) !== undefined;
    const before = isWaiting ? waiting(context, replyId) : accepted(context, replyId);
    if (isWaiting) await decideReply(context, { replyId, isAccepted: false });
    else await revokeReply(context, { replyId });
    return json({ ...before, rejected_at: timestamp(services.now()) });
  },
});

/** What is in the thread already, as a request. Throws notFound for what answers nothing of the user's. */
function accepted(context: Context, replyId: Id): Entity {
  const { services, grant } = context;
  const reply = findStatusRecord(services.snapshots, replyId);
  if (reply?.inReplyToId === undefined || reply.inReplyToAccountId !== grant.accountId) throw new Failure('notFound');
  const { inReplyToId: statusId, accountId, createdAt } = reply;
  const entity = entityOf(shownTo(context), replyId, { statusId, accountId, createdAt });
  if (entity === undefined) throw new Failure('notFound');
  return entity;
}

export const interactionRequestEndpoints = [getInteractionRequests, getInteractionRequest, postAuthorize, postReject];
