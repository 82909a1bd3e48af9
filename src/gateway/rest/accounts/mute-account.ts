/** POST /api/v1/accounts/:id/mute (specification 4.2: changes an existing mute as well). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { relationshipLimits } from '../../../runtime/limits.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { boolean, id, integerWithin } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changedRelationship, knownAccount } from './answers.ts';

const parameters = z.object({ id, notifications: boolean, duration: integerWithin(0, Number.MAX_SAFE_INTEGER) });

export const muteAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/mute',
  authentication: 'user',
  scopes: ['write:mutes'],
  parameters,
  summary: 'Mutes an account, for `duration` seconds or, with 0, for ever.',
  async handler(context, { id: targetId, notifications: hideNotifications = true, duration = 0 }) {
    const { services, grant } = context;
    knownAccount(services, targetId);
    const durationSeconds = Math.min(duration, relationshipLimits.muteSecondsMax);
    await services.client.call(
      Account.mute.to(grant.accountId, { targetId, hideNotifications, durationSeconds }),
      flowOfAccount(grant.accountId),
    );
    await services.barrier.narrowed();
    return changedRelationship(context, targetId);
  },
});
