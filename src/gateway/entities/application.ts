/** The Application entity of the Mastodon API. Its secret is shown once, by the endpoint that creates it. */
import { z } from 'zod';
import type { RegisteredApplication } from '../../actors/session/session.queries.ts';
import { count, id, text, url } from './values.ts';

export const ApplicationEntity = z
  .strictObject({
    id,
    name: text,
    website: url.nullable(),
    scopes: z.array(text).readonly(),
    redirect_uris: z.array(text).readonly(),
    redirect_uri: text,
    vapid_key: text,
  })
  .meta({ id: 'Application' });
type ApplicationEntity = z.output<typeof ApplicationEntity>;

export const CredentialApplicationEntity = z
  .strictObject({
    ...ApplicationEntity.shape,
    client_id: text.min(1),
    client_secret: text.min(1),
    client_secret_expires_at: count,
  })
  .meta({ id: 'CredentialApplication' });

/** `vapidKey` is the public key of the server's push messages. */
export function applicationEntity(application: RegisteredApplication, vapidKey: string): ApplicationEntity {
  return {
    id: application.id.toString(),
    name: application.name,
    website: application.website ?? null,
    scopes: application.scopes,
    redirect_uris: application.redirectUris,
    redirect_uri: application.redirectUris.join('\n'),
    vapid_key: vapidKey,
  };
}
