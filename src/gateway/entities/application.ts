/** The entity Application of the Mastodon API. Its secret is shown once, by the endpoint that drew it. */
import type { RegisteredApplication } from '../../actors/session/session.queries.ts';

export interface ApplicationEntity {
  id: string;
  name: string;
  website: string | null;
  scopes: readonly string[];
  redirect_uris: readonly string[];
  redirect_uri: string;
  vapid_key: string;
}

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
