/** The token response (RFC 6749 section 5.1). */
import type { NewToken } from '../../operations/applications/issue-token.ts';
import { type Answer, json } from '../http/answers.ts';

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
