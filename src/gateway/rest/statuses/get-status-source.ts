/** GET /api/v1/statuses/:id/source (behaviour of the Mastodon API): the text for editing. */

import { z } from 'zod';
import { ownStatus } from '../../../operations/statuses/own-status.ts';
import { Failure } from '../../../runtime/errors.ts';
import { StatusSourceEntity } from '../../entities/status-schema.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const parameters = z.object({ id });

export const getStatusSource = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/source',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters,
  summary: 'Returns the source text of a status of the user.',
  answer: StatusSourceEntity,
  handler({ services, grant }, given) {
    const { status, reblog } = ownStatus(services, given.id, grant.accountId);
    if (reblog !== undefined) throw new Failure('notFound');
    return json({ id: status.id.toString(), text: status.text, spoiler_text: status.spoilerText });
  },
});
