/** GET /api/v1/accounts/:id/statuses (behaviour of the Mastodon API). */

import { z } from 'zod';
import { findPublicAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { statusesByAccount } from '../../../actors/account/statuses/account-statuses.queries.ts';
import { remembered } from '../../../actors/policy/remembered.ts';
import { normaliseTagName } from '../../../actors/text/hashtags.ts';
import { Failure } from '../../../runtime/errors.ts';
import { StatusEntity } from '../../entities/status-schema.ts';
import { json } from '../../http/answers.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { boolean, id, pageParameters, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf, refuseSuspended } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';
import { renderStatus, viewerOfGrant } from '../status-answers.ts';

const parameters = z.object({
  id,
  pinned: boolean,
  exclude_replies: boolean,
  exclude_reblogs: boolean,
  only_media: boolean,
  tagged: text,
  ...pageParameters(20, 40),
});
type Given = z.output<typeof parameters>;

export const getAccountStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/statuses',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters,
  summary: 'The statuses of an account that the viewer may see, newest first.',
  answer: z.array(StatusEntity),
  handler(context, given) {
    const { services, grant, request } = context;
    const account = findPublicAccount(services.snapshots, given.id);
    if (account === undefined) throw new Failure('notFound');
    refuseSuspended(context, account);
    // Nothing can be pinned yet.
    if (given.pinned) return json([]);
    const viewer = remembered(viewerOfGrant(services, grant?.accountId));
    const choice = choiceOf(given);
    return answerFilledPage(
      boundsOf(given),
      (bounds) => statusesByAccount(services.snapshots, given.id, choice, viewer, bounds),
      (page) =>
        json(
          page.items.map((view) => renderStatus(services, view, grant?.accountId)),
          { headers: pageHeaders(request, page, given.limit, 'min_id') },
        ),
    );
  },
});

function choiceOf(given: Given) {
  return {
    excludeReplies: given.exclude_replies ?? false,
    excludeReblogs: given.exclude_reblogs ?? false,
    onlyMedia: given.only_media ?? false,
    // What cannot be a tag stands as given: no status has it.
    tagged:
      given.tagged === undefined || given.tagged === '' ? undefined : (normaliseTagName(given.tagged) ?? given.tagged),
  };
}
