/** The warnings that a local account got, newest first, whether or not it has dismissed their notifications. */
import { z } from 'zod';
import { type StoredWarning, warningsOf } from '../../actors/account/moderation/warnings.queries.ts';
import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { namedAccount } from './local-account.ts';

export const listWarnings = operation({
  input: z.object({ username: z.string() }),
  permission: 'manageUsers',
  audit: reads,
  run({ services }, { username }): StoredWarning[] {
    const { id } = namedAccount(services, username);
    return warningsOf(services.snapshots, id, { limit: notificationLimits.warningsKeptMax }).items;
  },
});
