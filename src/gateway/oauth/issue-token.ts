/** Tokens as they leave the server: drawn here, stored as their digest, shown once. */

import type { z } from 'zod';
import {
  digestOfSecret,
  type IssuedToken,
  Session,
  type TokenRights,
  tokenKey,
} from '../../actors/session/session.messages.ts';
import { drawSecret } from '../../services/secrets.ts';
import { flowOfAccount, type Services } from '../../services/services.ts';
import { type Answer, json } from '../http/answers.ts';

export interface NewToken {
  readonly token: string;
  readonly issued: z.infer<typeof IssuedToken>;
}

export async function issueToken({ client }: Pick<Services, 'client'>, rights: TokenRights): Promise<NewToken> {
  const token = drawSecret();
  const flow = rights.accountId === undefined ? 'system' : flowOfAccount(rights.accountId);
  const issued = await client.call(Session.issueToken.to(tokenKey(digestOfSecret(token)), rights), flow);
  return { token, issued };
}

/** RFC 6749 section 5.1, with the time in seconds of the Mastodon API. Tokens do not expire. */
export function tokenAnswer({ token, issued }: NewToken): Answer {
  const body = {
    access_token: token,
    token_type: 'Bearer',
    scope: issued.scopes.join(' '),
    created_at: Math.floor(issued.createdAt / 1000),
  };
  return json(body, { headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' } });
}
