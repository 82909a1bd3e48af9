/** The same fresh state on any version, made through the API: one account with posts. */
import type { Server } from '../processes/server.ts';

export const freshUsername = 'bench';

export interface FreshState {
  readonly token: string;
  /** Newest last. */
  readonly statusIds: readonly string[];
}

/** Throws where the server refuses something. */
export async function makeFreshState(server: Server, posts: number): Promise<FreshState> {
  const ask = async (path: string, body: object, token?: string) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    const answer = await fetch(server.origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${path} is answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const scopes = 'read write follow';
  const redirect_uris = 'urn:ietf:wg:oauth:2.0:oob';
  const { client_id, client_secret } = await ask('/api/v1/apps', { client_name: 'Bench', redirect_uris, scopes });
  const client = { client_id, client_secret, grant_type: 'client_credentials', scope: scopes };
  const { access_token: ofClient } = await ask('/oauth/token', client);
  const person = { username: freshUsername, email: 'bench@bench.example', password: 'bench-password', locale: 'en' };
  const { access_token: token = '' } = await ask('/api/v1/accounts', { ...person, agreement: true }, ofClient);
  const statusIds: string[] = [];
  for (let number = 0; number < posts; number += 1) {
    const { id = '' } = await ask('/api/v1/statuses', { status: `Post ${number} of the bench #bench` }, token);
    statusIds.push(id);
  }
  return { token, statusIds };
}
