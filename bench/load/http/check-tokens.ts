/** Asks before a run whether the server is there and takes the tokens, so that a run never measures refusals by mistake. */
import { request } from 'undici';
import { LoadFailure } from '../failure.ts';
import { jsonOf } from '../json.ts';
import type { Target } from '../target.ts';
import { failureOf } from './answer.ts';

export interface OwnAccount {
  readonly id: string;
  readonly username: string;
  readonly acct: string;
  readonly url: string;
}

/** The account of the first token, and of as many more as are looked at. Rejects with a LoadFailure. */
export async function checkTokens(target: Target, timeoutSeconds: number): Promise<OwnAccount> {
  const [first, ...others] = target.tokens;
  if (first === undefined) throw new LoadFailure('tokenRefused', 'There is no token.');
  const account = await accountOf(target, first, timeoutSeconds);
  const last = others.at(-1);
  if (last !== undefined) await accountOf(target, last, timeoutSeconds);
  return account;
}

async function accountOf(target: Target, token: string, timeoutSeconds: number): Promise<OwnAccount> {
  const path = '/api/v1/accounts/verify_credentials';
  const { status, json } = await ask(target, path, timeoutSeconds, { authorization: `Bearer ${token}` });
  if (status === 401 || status === 403)
    throw new LoadFailure('tokenRefused', `The server refuses the token ${token.slice(0, 6)}… (${status}).`);
  const account = json as Partial<OwnAccount> | undefined;
  if (status !== 200 || typeof account?.id !== 'string')
    throw new LoadFailure('serverUnsuitable', `${target.origin} answers ${path} with ${status}.`);
  return account as OwnAccount;
}

/** A GET of JSON; `json` is undefined where the answer is something else. Rejects with a LoadFailure. */
export async function ask(
  target: Target,
  path: string,
  timeoutSeconds: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly json: unknown }> {
  const milliseconds = timeoutSeconds * 1_000;
  try {
    const { statusCode, body } = await request(new URL(path, target.origin), {
      headers: { accept: 'application/json', ...target.headers, ...headers },
      headersTimeout: milliseconds,
      bodyTimeout: milliseconds,
    });
    const text = await body.text();
    if (statusCode === 429) throw new LoadFailure('rateLimited', `${target.origin} answers ${path} with 429.`);
    return { status: statusCode, json: jsonOf(text) };
  } catch (error) {
    if (error instanceof LoadFailure || !(error instanceof Error)) throw error;
    throw new LoadFailure('serverUnreachable', `${target.origin} does not answer: ${failureOf(error)}.`);
  }
}
