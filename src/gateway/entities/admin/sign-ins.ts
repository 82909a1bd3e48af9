/** The entity of a sign-in, as staff see it: Admin::SignIn (no Mastodon API has one). */
import { z } from 'zod';
import type { StoredSignIn } from '../../../actors/account/sign-ins/sign-ins.queries.ts';
import { signInWays } from '../../../actors/account/sign-ins/sign-ins.records.ts';
import { applicationOfClient } from '../../../actors/session/session.queries.ts';
import type { Services } from '../../../services/services.ts';
import { flag, id, text, time, timestamp } from '../values.ts';

export const AdminSignInEntity = z
  .strictObject({
    id,
    created_at: time,
    way: z.enum(signInWays),
    success: flag,
    ip: text.nullable(),
    user_agent: text.nullable(),
    /** The name of the application that got a token. */
    application: text.nullable(),
  })
  .meta({ id: 'Admin.SignIn' });

export function adminSignInEntity(
  { id: signInId, at, way, succeeded, address, userAgent, clientId }: StoredSignIn,
  { snapshots }: Pick<Services, 'snapshots'>,
): z.infer<typeof AdminSignInEntity> {
  const application = clientId === undefined ? undefined : applicationOfClient(snapshots, clientId);
  return {
    id: signInId.toString(),
    created_at: timestamp(at),
    way,
    success: succeeded,
    ip: address ?? null,
    user_agent: userAgent ?? null,
    application: application?.name ?? null,
  };
}
