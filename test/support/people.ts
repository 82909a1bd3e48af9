/** People of a running server, signed up as applications do it: quicker than by the command line. */
import { type Answered, type Ask, askerOf } from './asking.ts';
import type { RunningServer } from './server.ts';

export interface Person {
  readonly username: string;
  readonly id: string;
  /** For everything; the dialect is that of `People`. */
  readonly token: string;
}

export interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

const everything = 'profile read write follow push';

export class People {
  readonly ask: Ask;
  readonly client: Client;
  /** A token of the application itself, with every scope of the people's. */
  readonly application: { readonly token: string };

  private constructor(ask: Ask, client: Client, token: string) {
    this.ask = ask;
    this.client = client;
    this.application = { token };
  }

  /** The people of an application of their own. */
  static async of(server: RunningServer, dialect: 'specification' | 'mastodon' = 'specification'): Promise<People> {
    const ask = askerOf(server);
    const wish = { client_name: 'An app', redirect_uris: 'https://app.example/', scopes: everything, dialect };
    const { client_id, client_secret } = succeeded(await ask(undefined, 'POST', '/api/v1/apps', wish)).body;
    const client = { client_id: String(client_id), client_secret: String(client_secret) };
    const grant = { grant_type: 'client_credentials', scope: everything, ...client };
    const { access_token: token } = succeeded(await ask(undefined, 'POST', '/oauth/token', grant)).body;
    return new People(ask, client, String(token));
  }

  async add(username: string): Promise<Person> {
    const email = `${username}@users.test`;
    const wish = { username, email, password: `${username}-password`, agreement: true };
    const signedUp = succeeded(await this.ask(this.application, 'POST', '/api/v1/accounts', wish));
    const token = String(signedUp.body.access_token);
    const own = succeeded(await this.ask({ token }, 'GET', '/api/v1/accounts/verify_credentials'));
    return { username, id: String(own.body.id), token };
  }

  /** By their names. */
  async addAll<Name extends string>(names: readonly Name[]): Promise<Record<Name, Person>> {
    const added = await Promise.all(names.map((name) => this.add(name)));
    return Object.fromEntries(added.map((person) => [person.username, person])) as Record<Name, Person>;
  }
}

/** The answer, where it is one. Throws an Error that says what came instead. */
export function succeeded(answer: Answered): Answered {
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`);
  return answer;
}
