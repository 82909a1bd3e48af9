/** Creates access tokens: random, stored as a digest, shown once. */

import type { z } from 'zod';
import { digestOfSecret, type IssuedToken, Session, tokenKey } from '../../actors/session/session.messages.ts';
import type { BodyOf } from '../../runtime/contract.ts';
import { drawSecret } from '../../services/secrets.ts';
import { flowOfAccount, flowOfVisitors, type Services } from '../../services/services.ts';

export interface NewToken {
  readonly token: string;
  readonly issued: z.infer<typeof IssuedToken>;
}

export async function issueToken(
  { client }: Pick<Services, 'client'>,
  rights: BodyOf<typeof Session.issueToken>,
): Promise<NewToken> {
  const token = drawSecret();
  const flow = rights.accountId === undefined ? flowOfVisitors : flowOfAccount(rights.accountId);
  const issued = await client.call(Session.issueToken.to(tokenKey(digestOfSecret(token)), rights), flow);
  return { token, issued };
}
