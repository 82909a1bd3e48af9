/** POST /api/v1/accounts/:id/mute (specification 4.2: changes an existing mute as well). */

import { z } from 'zod';
import { muteAccount } from '../../../operations/relationships/mute-account.ts';
import { RelationshipEntity } from '../../entities/relationship.ts';
import { boolean, id, integerWithin } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { relationshipAnswer } from './answers.ts';

const parameters = z.object({ id, notifications: boolean, duration: integerWithin(0, Number.MAX_SAFE_INTEGER) });

export const postMute = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/mute',
  authentication: 'user',
  scopes: ['write:mutes'],
  parameters,
  summary: 'Mutes an account for `duration` seconds, or for ever with 0.',
  answer: RelationshipEntity,
  async handler(context, { id: accountId, notifications: hideNotifications = true, duration: durationSeconds = 0 }) {
    return relationshipAnswer(context, await muteAccount(context, { accountId, hideNotifications, durationSeconds }));
  },
});
