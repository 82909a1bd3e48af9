/**
 * The application that sends a request: client id and secret in the parameters, or in HTTP Basic (RFC 6749 section
 * 2.3.1).
 */
import { applicationOfClient, type RegisteredApplication } from '../../actors/session/session.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { isSecretOf } from '../../services/secrets.ts';
import type { IncomingRequest } from '../http/request.ts';

export interface ClientParameters {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/** Throws Failure invalidClient when the application is unknown or the secret is wrong. */
export function authenticatedApplication(
  reader: Reader,
  request: Pick<IncomingRequest, 'header'>,
  parameters: ClientParameters,
): RegisteredApplication {
  const basic = basicCredentials(request.header('authorization'));
  const clientId = basic?.clientId ?? parameters.client_id;
  const secret = basic?.secret ?? parameters.client_secret;
  const application = clientId === undefined ? undefined : applicationOfClient(reader, clientId);
  if (application === undefined || secret === undefined || !isSecretOf(secret, application.secretDigest)) {
    throw new Failure('invalidClient', {
      text: 'The application is unknown, or its secret is missing or wrong.',
    });
  }
  return application;
}

function basicCredentials(header: string | undefined): { clientId: string; secret: string } | undefined {
  const encoded = header === undefined ? undefined : /^basic\s+(\S+)\s*$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
}
