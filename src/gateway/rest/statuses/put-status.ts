/**
 * PUT /api/v1/statuses/:id (behaviour of the Mastodon API): the text, its warning and its language are written anew; who
 * may see it and what it answers stay. A language that is not given stays; a warning that is not given is none.
 */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { renderStatus } from '../status-answers.ts';
import { findMentions, handlesOf } from './mentions.ts';
import { destinationsOfStatus, ownStatus } from './own-status.ts';
import { contentOf, isSensitive, languageOf, writtenParameters, writtenStatus } from './written-status.ts';

const parameters = z.object({ id, ...writtenParameters });

export const putStatus = endpoint({
  methods: ['PUT', 'PATCH'],
  path: '/api/v1/statuses/:id',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters,
  summary: 'Changes a status of the user.',
  async handler({ services, grant }, given) {
    const { accountId } = grant;
    const { status } = ownStatus(services, given.id, accountId);
    const written = writtenStatus(given);
    const found = await findMentions(services, handlesOf(written.text));
    const edit = {
      ...contentOf(services, written, found),
      statusId: status.id,
      sensitive: isSensitive(written, given.sensitive ?? false),
      language: languageOf(given.language) ?? status.language,
      formerDestinations: destinationsOfStatus(services, status),
    };
    await services.client.call(Account.edit.to(accountId, edit), flowOfAccount(accountId));
    return json(renderStatus(services, ownStatus(services, status.id, accountId), accountId));
  },
});
