/** Users of a running server: those of an application sign up through it, others are made by its operator. */
import { type Answered, type Ask, askerOf } from './asking.ts';
import type { RunningServer } from './server.ts';

export type Dialect = 'specification' | 'mastodon';

export interface Credentials {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export interface User extends Credentials {
  readonly id: string;
  /** For everything, in the dialect of its application. */
  readonly token: string;
}

export interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

export const allScopes = 'profile read write follow push admin:read admin:write';

export class Users {
  readonly ask: Ask;
  readonly client: Client;
  /** A token of the application itself, with every scope of its users. */
  readonly application: { readonly token: string };

  private constructor(ask: Ask, client: Client, token: string) {
    this.ask = ask;
    this.client = client;
    this.application = { token };
  }

  /** Those of an application of their own. */
  static async of(server: RunningServer, dialect: Dialect = 'specification'): Promise<Users> {
    const ask = askerOf(server);
    const wish = { client_name: 'An app', redirect_uris: 'https://app.example/', scopes: allScopes, dialect };
    const { client_id, client_secret } = succeeded(await ask(undefined, 'POST', '/api/v1/apps', wish)).body;
    const client = { client_id: String(client_id), client_secret: String(client_secret) };
    const grant = { grant_type: 'client_credentials', scope: allScopes, ...client };
    const { access_token: token } = succeeded(await ask(undefined, 'POST', '/oauth/token', grant)).body;
    return new Users(ask, client, String(token));
  }

  async add(username: string): Promise<User> {
    const credentials = credentialsOf(username);
    const wish = { ...credentials, agreement: true };
    const signedUp = succeeded(await this.ask(this.application, 'POST', '/api/v1/accounts', wish));
    const token = String(signedUp.body.access_token);
    const own = succeeded(await this.ask({ token }, 'GET', '/api/v1/accounts/verify_credentials'));
    return { ...credentials, id: String(own.body.id), token };
  }

  /** By their names. */
  async addAll<Name extends string>(names: readonly Name[]): Promise<Record<Name, User>> {
    const added = await Promise.all(names.map((name) => this.add(name)));
    return Object.fromEntries(added.map((user) => [user.username, user])) as Record<Name, User>;
  }
}

export function credentialsOf(username: string): Credentials {
  return { username, email: `${username}@users.test`, password: `${username}-password` };
}

/** The answer, where it is one. Throws an Error that says what came instead. */
export function succeeded(answer: Answered): Answered {
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`);
  return answer;
}
