/** PUT /api/v1/statuses/:id (behaviour of the Mastodon API). */

import { z } from 'zod';
import { mediaLimits as attachedLimits } from '../../../actors/account/media/limits.ts';
import { editStatus } from '../../../operations/statuses/edit-status.ts';
import { mediaLimits } from '../../../services/media/limits.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { file, groupList, id, optionalId, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changedStatusAnswer } from '../status-answers.ts';
import { writtenOf, writtenParameters } from './written-parameters.ts';

const parameters = z.object({
  id,
  ...writtenParameters,
  media_attributes: groupList({
    ...{ id: optionalId, description: text, focus: text },
    thumbnail: file({ bytesMax: mediaLimits.imageBytesMax, countMax: attachedLimits.perStatusMax }),
  }),
});

export const putStatus = endpoint({
  methods: ['PUT', 'PATCH'],
  path: '/api/v1/statuses/:id',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters,
  summary: 'Changes a status of the user.',
  answer: UserStatusEntity,
  async handler(context, given) {
    const { services, grant } = context;
    const { statusId } = await editStatus(context, {
      statusId: given.id,
      ...writtenOf(given),
      mediaAttributes: (given.media_attributes ?? []).flatMap(({ id: mediaId, thumbnail, ...described }) =>
        mediaId === undefined ? [] : [{ mediaId, ...described, thumbnail: thumbnail?.path }],
      ),
    });
    return changedStatusAnswer(services, statusId, grant.accountId);
  },
});
