/** GET /api/v1/accounts/:id/statuses (behaviours of the Mastodon API, section 20; suspended accounts: conflicts C1). */
import { z } from 'zod';
import { statusesByAccount } from '../../../actors/account/account-statuses.queries.ts';
import { findAccount } from '../../../actors/account/statuses.queries.ts';
import { remembered } from '../../../actors/policy/remembered.ts';
import { normaliseTagName } from '../../../actors/text/hashtags.ts';
import { Failure } from '../../../runtime/errors.ts';
import { json } from '../../http/answers.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { boolean, id, pageParameters, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import type { Services } from '../../services.ts';
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

export const getAccountStatuses = endpoint<Services, 'none', typeof parameters>({
  method: 'GET',
  path: '/api/v1/accounts/:id/statuses',
  authentication: 'none',
  scopes: ['read:statuses'],
  parameters,
  summary: 'The statuses of an account that the viewer may see, newest first.',
  handler({ services, grant, request }, given) {
    const account = findAccount(services.snapshots, given.id);
    if (account === undefined) throw new Failure('notFound');
    if (account.profile.suspendedAt !== undefined) {
      if ((grant?.dialect ?? services.options.dialect) === 'specification') throw new Failure('gone');
      return json([]);
    }
    // Nothing can be pinned yet.
    if (given.pinned) return json([]);
    const viewer = remembered(viewerOfGrant(services, grant?.accountId));
    const page = statusesByAccount(services.snapshots, given.id, choiceOf(given), viewer, boundsOf(given));
    return json(
      page.items.map((view) => renderStatus(services, view, grant?.accountId)),
      { headers: pageHeaders(request, { ...page, limit: given.limit }, 'min_id') },
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

function boundsOf({ max_id: maxId, since_id: sinceId, min_id: minId, limit }: Given) {
  return { maxId, sinceId, minId, limit };
}
