/** The pages over memory partitions, and their visitors: signed in by a cookie, or anonymous. */
import { onTestFinished } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findLocalAccount, passwordMarkOf } from '../../../src/actors/account/profile/logins.queries.ts';
import type { Login, Profile } from '../../../src/actors/account/profile/profile.records.ts';
import { Instance, type InstanceSettings, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { sessionCookieOf } from '../../../src/gateway/oauth/browser.ts';
import { Machine } from '../../../src/gateway/operator/machine/machine.ts';
import { machineRoutes } from '../../../src/gateway/pages/admin/machine/machine-page.ts';
import { notFoundPage } from '../../../src/gateway/pages/page-handler.ts';
import { rawRoutes } from '../../../src/gateway/raw-routes.ts';
import { type RawRoute, rawRoute } from '../../../src/gateway/route.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import { openBrowserSession } from '../../../src/operations/registration/browser-sessions.ts';
import { allocateMetrics } from '../../../src/runtime/metrics/layout.ts';
import { startTestGateway, type TestGateway, type TestGatewayInput, type TestRequest } from '../../support/gateway.ts';
import { addAccount } from '../../support/sign-up.ts';

export const host = 'social.example';

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where a redirect leads. */
  readonly location: string | null;
}

interface SiteOptions extends Partial<TestGatewayInput> {
  /** By several tests, which close its gateway themselves. */
  readonly isShared?: boolean;
}

export class Site {
  readonly gateway: TestGateway;
  /** Of no threads but one, which measures nothing. */
  readonly machine = new Machine({
    measured: [{ title: 'main', memory: allocateMetrics() }],
    figures: () => ({ uptimeSeconds: 1, cpuSeconds: 0.5, cpuWaitSeconds: 0, anonymousBytes: 1_024, mappedBytes: 0 }),
    lanes: async () => [],
    now: () => this.gateway.actors.clock.now(),
    report: () => undefined,
    pauseMilliseconds: 5,
  });

  constructor(
    moreRoutes: readonly RawRoute<GatewayServices>[] = [],
    { rateLimits = false, isTraced = false, environment = {}, isShared = false }: SiteOptions = {},
  ) {
    const rest = rawRoute<GatewayServices>({ method: 'GET', path: '/*rest', handler: notFoundPage });
    this.gateway = startTestGateway({
      endpoints: [],
      rawRoutes: [...rawRoutes, ...machineRoutes(() => this.machine), ...moreRoutes, rest],
      rateLimits,
      isTraced,
      environment,
      proxiesMedia: true,
    });
    if (!isShared) onTestFinished(() => this.gateway.close());
  }

  get stranger(): Guest {
    return new Guest(this, '');
  }

  async person(username: string, login: Partial<Login> = {}): Promise<Person> {
    return this.signIn(await addAccount(this.gateway.actors, username, login), 'Firefox · Linux');
  }

  /** Whoever is there already, in one more browser. */
  async signIn(id: bigint, browser: string): Promise<Person> {
    const { login, profile } = findLocalAccount(this.gateway.actors.read, id)!;
    const { services } = this.gateway;
    const caller = { kind: 'account', accountId: id, limits: unlimited } as const;
    const passwordMark = passwordMarkOf(login);
    const { secret } = await openBrowserSession({ caller, services }, { passwordMark, browser });
    const header = sessionCookieOf({ origin: `https://${host}` }, secret)['Set-Cookie'];
    return new Person(this, header.split(';')[0]!, id, profile.username);
  }

  settings(settings: InstanceSettings): Promise<undefined> {
    return this.gateway.actors.call(Instance.changeSettings.to(instanceKey, settings));
  }

  changeProfile(person: Person, change: Partial<Profile>): Promise<undefined> {
    return this.gateway.actors.call(Account.changeProfile.to(person.id, change));
  }
}

/** Whatever a page shows, it asks no other server for. Throws an Error for what its policy would not let it load. */
function expectOwnPictures(html: string, policy: string): void {
  const sources = /img-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
  if (sources.some((source) => source.endsWith(':') && source !== 'data:')) throw new Error(`too much in ${policy}`);
  for (const [, address] of html.matchAll(
    /<(?:img|video|audio|source|track)\b[^>]*?\s(?:src|poster|srcset)="([^"]*)"/g,
  )) {
    const { protocol, origin } = new URL(address!, `https://${host}`);
    const source = protocol === 'data:' ? protocol : origin === `https://${host}` ? "'self'" : origin;
    if (policy.includes('img-src') && !sources.includes(source)) throw new Error(`${address} is not among ${sources}`);
  }
}

/** Somebody with a browser. */
export class Guest {
  readonly cookie: string;
  protected readonly site: Site;

  constructor(site: Site, cookie: string) {
    this.site = site;
    this.cookie = cookie;
  }

  async ask(path: string, request: TestRequest = {}): Promise<Shown> {
    const headers = { accept: 'text/html', ...(this.cookie === '' ? {} : { cookie: this.cookie }), ...request.headers };
    const response = await this.site.gateway.fetch(path, { ...request, headers });
    const { status, headers: answered } = response;
    const html = await response.text();
    expectOwnPictures(html, answered.get('content-security-policy') ?? '');
    return { status, headers: answered, html, location: answered.get('location') };
  }
}

export class Person extends Guest {
  readonly id: bigint;
  readonly username: string;

  constructor(site: Site, cookie: string, id: bigint, username: string) {
    super(site, cookie);
    this.id = id;
    this.username = username;
  }

  /** The token that the forms of this browser carry. */
  async formToken(): Promise<string> {
    const { html } = await this.ask('/about');
    return /name="form_token" value="([^"]+)"/.exec(html)![1]!;
  }

  /** Presses a button, or sends a form. */
  async act(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.ask(path, { form: { form_token: await this.formToken(), return_to: '/', ...fields } });
  }

  /** Publishes a post a second later than everything before, and returns its id. */
  async write(text: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
    this.site.gateway.actors.clock.advance(1_000);
    const { status, html } = await this.act('/web/statuses', { status: text, ...fields });
    if (status !== 303) throw new Error(`not posted: ${html}`);
    const { html: profile } = await this.ask(`/@${this.username}?replies=1`);
    return /id="status-(\d+)"/.exec(profile)![1]!;
  }
}

/** The text of a page without its markup. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function titleOf({ html }: Shown): string | undefined {
  return /<title>([^<]*)<\/title>/.exec(html)?.[1];
}

/** The content of a meta tag by its name or property. */
export function metaOf({ html }: Shown, name: string): string | undefined {
  return new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1];
}
