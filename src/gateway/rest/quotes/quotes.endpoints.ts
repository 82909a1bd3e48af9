/** The quotes of a status, and what its author may do about them (behaviour of the Mastodon API). */
import { z } from 'zod';
import { chooseQuotes } from '../../../actors/account/quotes/quotes.queries.ts';
import { quotePolicies } from '../../../actors/account/quotes/quotes.records.ts';
import { changeQuotePolicy } from '../../../operations/quotes/change-quote-policy.ts';
import { revokeQuote } from '../../../operations/quotes/revoke-quote.ts';
import { changeReplyPolicy } from '../../../operations/statuses/change-reply-policy.ts';
import { visibleOriginal } from '../../../operations/statuses/originals.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { choice, id, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerStatusPage, changedStatusAnswer } from '../status-answers.ts';
import { replyPolicyOf, replyPolicyParameters } from '../statuses/reply-policy-parameters.ts';

export const getQuotes = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/quotes',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters: z.object({ id, ...pageParameters(20, 40) }),
  summary: 'Lists the statuses that quote a status, as far as the user may see them, latest first.',
  answer: z.array(UserStatusEntity),
  handler(context, { id: statusId, ...page }) {
    const { services, grant } = context;
    const { status } = visibleOriginal(services, statusId, grant.accountId);
    const read: Parameters<typeof answerStatusPage>[3] = (bounds, show) =>
      chooseQuotes(services.snapshots, status.id, bounds, show);
    return answerStatusPage(context, page, 'thread', read, 'since_id');
  },
});

export const postRevoke = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/quotes/:quoting_status_id/revoke',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ id, quoting_status_id: id }),
  summary: 'Revokes a quote of a status of the user, and returns the quoting status.',
  answer: UserStatusEntity,
  async handler(context, given) {
    const { services, grant } = context;
    const { quoteId } = await revokeQuote(context, { statusId: given.id, quoteId: given.quoting_status_id });
    return changedStatusAnswer(services, quoteId, grant.accountId);
  },
});

export const putInteractionPolicy = endpoint({
  methods: ['PUT', 'PATCH'],
  path: '/api/v1/statuses/:id/interaction_policy',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ id, quote_approval_policy: choice(quotePolicies), ...replyPolicyParameters }),
  summary: 'Changes who may quote a status of the user, and who may reply to it.',
  answer: UserStatusEntity,
  async handler(context, given) {
    const { services, grant } = context;
    const { id: statusId, quote_approval_policy: quotePolicy } = given;
    const replyPolicy = replyPolicyOf(given);
    if (quotePolicy === undefined && replyPolicy === undefined)
      throw validationFailure('Quote approval policy is missing');
    if (quotePolicy !== undefined) await changeQuotePolicy(context, { statusId, policy: quotePolicy });
    if (replyPolicy !== undefined) await changeReplyPolicy(context, { statusId, policy: replyPolicy });
    return changedStatusAnswer(services, statusId, grant.accountId);
  },
});

export const quoteEndpoints = [getQuotes, postRevoke, putInteractionPolicy];
