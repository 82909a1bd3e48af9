/** Applications, users and browsers for tests of OAuth. */
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { Login } from '../../../src/actors/account/profile/profile.records.ts';
import { oauthEndpoints } from '../../../src/gateway/oauth/oauth.endpoints.ts';
import { oauthRoutes } from '../../../src/gateway/oauth/oauth.routes.ts';
import { appsEndpoints } from '../../../src/gateway/rest/apps/apps.endpoints.ts';
import { instanceEndpoints } from '../../../src/gateway/rest/instance/instance.endpoints.ts';
import { registrationEndpoints } from '../../../src/gateway/rest/registration/registration.endpoints.ts';
import { hashPassword } from '../../../src/operations/registration/passwords.ts';
import { startTestGateway, type TestGateway, type TestGatewayInput } from '../../support/gateway.ts';
import { addAccount } from '../../support/sign-up.ts';

export const redirectUri = 'https://app.example/callback?from=here';
export const password = 'correct horse battery';
const cheapCost = { memoryKibibytes: 8, iterations: 1 };

export function startGateway(input: Partial<TestGatewayInput> = {}): TestGateway {
  return startTestGateway({
    endpoints: [...oauthEndpoints, ...appsEndpoints, ...registrationEndpoints, ...instanceEndpoints],
    rawRoutes: oauthRoutes,
    ...input,
  });
}

export interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret: string;
}

export async function registerClient(
  gateway: TestGateway,
  changes: Readonly<Record<string, string>> = {},
): Promise<RegisteredClient> {
  const wish = { client_name: 'An app', redirect_uris: redirectUri, scopes: 'read write', ...changes };
  const { status, body } = await gateway.json('/api/v1/apps', { form: wish });
  if (status !== 200) throw new Error(`no application: ${JSON.stringify(body)}`);
  return { client_id: String(body.client_id), client_secret: String(body.client_secret) };
}

/** An account that signs in with NAME@example.org and the password above. */
export async function addPerson(gateway: TestGateway, username: string, login: Partial<Login> = {}): Promise<bigint> {
  return addAccount(gateway.actors, username, { passwordHash: await hashPassword(password, cheapCost), ...login });
}

export function changeLogin(gateway: TestGateway, accountId: bigint, change: Readonly<Record<string, unknown>>) {
  return gateway.actors.call(Account.changeLogin.to(accountId, change));
}

/** A browser: it keeps cookies, and fills in the forms that it was shown. */
export class Browser {
  readonly cookies = new Map<string, string>();
  private readonly gateway: TestGateway;
  private readonly address: string | undefined;
  private page = '';

  /** `address`: its IP address, where the gateway is behind a proxy. */
  constructor(gateway: TestGateway, address?: string) {
    this.gateway = gateway;
    this.address = address;
  }

  async open(path: string): Promise<Response> {
    return this.remember(await this.gateway.fetch(path, { headers: this.headers() }));
  }

  /** Sends the first form of the page with what was filled in, and whatever is hidden in it. */
  async submit(
    filledIn: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
    method = 'POST',
  ) {
    const action = /<form method="post" action="([^"]+)"/.exec(this.page)?.[1];
    if (action === undefined) throw new Error(`there is no form on the page: ${this.page}`);
    const hidden = [...this.page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
    const form = { ...Object.fromEntries(hidden.map(([, name, value]) => [name, plainText(value!)])), ...filledIn };
    return this.remember(
      await this.gateway.fetch(action, { method, form, headers: { ...this.headers(), ...headers } }),
    );
  }

  get text(): string {
    return this.page;
  }

  private headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { cookie, ...(this.address !== undefined && { 'x-forwarded-for': this.address }) };
  }

  private async remember(response: Response): Promise<Response> {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    this.page = await response.clone().text();
    return response;
  }
}

function plainText(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<');
}

export function authorizePath(client: RegisteredClient, changes: Readonly<Record<string, string>> = {}): string {
  const query = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'read write',
    ...changes,
  };
  return `/oauth/authorize?${new URLSearchParams(query)}`;
}

export const signInFields = (username: string) => ({ email: `${username}@example.org`, password });

/** Where a redirect leads. */
export function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? 'missing:', 'https://social.example');
}
