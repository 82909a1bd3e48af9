/** GET /api/v1/accounts/:id/statuses (behaviour of the Mastodon API). */
import { z } from 'zod';
import { normaliseTagName } from '../../../actors/text/hashtags.ts';
import { Failure } from '../../../runtime/errors.ts';
import { StatusEntity } from '../../entities/status-schema.ts';
import { json } from '../../http/answers.ts';
import { boolean, id, pageParameters, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { dialectOf } from '../accounts/answers.ts';
import { answerStatusPage } from '../status-answers.ts';

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
    const { services, grant } = context;
    const account = services.presenter.publicAccount(given.id);
    if (account === undefined) throw new Failure('notFound');
    if (account.isSuspended && dialectOf(context) === 'specification') throw new Failure('gone');
    // Nothing can be pinned yet.
    if (given.pinned) return json([]);
    const choice = choiceOf(given);
    return answerStatusPage(context, given, 'account', (bounds, show) =>
      services.timelines.ofAccount(
        given.id,
        choice,
        services.presenter.viewer(grant?.accountId),
        bounds,
        (statusId) => {
          const shown = show(statusId);
          return choice.tagged === undefined || shown?.status.tags.includes(choice.tagged) === true ? shown : undefined;
        },
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
