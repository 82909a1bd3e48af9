/** POST /api/v1/apps (specification 4.9): registers an application, and shows its secret once. */
import { z } from 'zod';
import { dialects } from '../../../actors/session/session.messages.ts';
import { applicationOfClient } from '../../../actors/session/session.queries.ts';
import { applicationLimits } from '../../../operations/applications/limits.ts';
import {
  defaultScope,
  registerApplication,
  splitScopes,
} from '../../../operations/applications/register-application.ts';
import { Failure } from '../../../runtime/errors.ts';
import { secretsOf } from '../../../services/instance-secrets.ts';
import { applicationEntity, CredentialApplicationEntity } from '../../entities/application.ts';
import { json } from '../../http/answers.ts';
import { choice, required, textList, textUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const parameters = z.object({
  client_name: required(textUpTo(applicationLimits.nameCharactersMax)),
  /** A list, or one text with line ends or blanks between the addresses. */
  redirect_uris: required(textList),
  scopes: textList,
  website: textUpTo(applicationLimits.websiteCharactersMax),
  /** An extension of this server: the dialect of the few answers that differ. */
  dialect: choice(dialects),
});

export const postApps = endpoint({
  method: 'POST',
  path: '/api/v1/apps',
  authentication: 'none',
  parameters,
  summary: 'Registers an application.',
  answer: CredentialApplicationEntity,
  async handler(context, given) {
    const { services } = context;
    const { vapidPublicKey } = await secretsOf(services);
    const scopes = splitScopes((given.scopes ?? []).join(' '));
    const { clientId, clientSecret } = await registerApplication(context, {
      name: given.client_name.trim(),
      website: given.website || undefined,
      redirectUris: [...new Set(given.redirect_uris.flatMap((uris) => uris.split(/\s+/)).filter((uri) => uri !== ''))],
      scopes: scopes.length === 0 ? [defaultScope] : scopes,
      dialect: given.dialect,
    });
    const application = applicationOfClient(services.snapshots, clientId);
    if (application === undefined) throw new Failure('outcomeUnknown');
    return json({
      ...applicationEntity(application, vapidPublicKey),
      client_id: clientId,
      client_secret: clientSecret,
      client_secret_expires_at: 0,
    });
  },
});
