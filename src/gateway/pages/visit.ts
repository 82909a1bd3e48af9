/** A request for a page: who looks, and what the parts of a page need to know of that. */
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import { browserKey, dayOf, digestOfSecret, Session } from '../../actors/session/session.messages.ts';
import { type EffectiveSettings, settingsOf } from '../../operations/instance/settings.ts';
import { Failure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { flowOfAccount } from '../../services/services.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { RawContext } from '../http/context.ts';
import type { IncomingRequest } from '../http/request.ts';
import { type Browser, browserOf, formToken } from '../oauth/browser.ts';
import { queryFields } from '../oauth/forms.ts';

export interface Visit {
  readonly services: GatewayServices;
  readonly settings: EffectiveSettings;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Who is signed in. */
  readonly account: LocalAccount | undefined;
  readonly viewer: Viewer;
  /** What the forms of the page carry; undefined where nobody is signed in, and there are no forms then. */
  readonly formToken: string | undefined;
  /** Of the browser of whoever is signed in. */
  readonly sessionId: string | undefined;
  /** Path and query of this page, to come back to; the start for what is no page. */
  readonly address: string;
}

/** The visit of somebody who is signed in. */
export interface MemberVisit extends Visit {
  readonly account: LocalAccount;
}

export function memberOf(visit: Visit): MemberVisit | undefined {
  const { account } = visit;
  return account === undefined ? undefined : { ...visit, account };
}

export async function visitOf(context: Pick<RawContext<GatewayServices>, 'request' | 'services'>): Promise<Visit> {
  const { request, services } = context;
  const browser = browserOf(services, request);
  const visit = visitWithoutForms(context, browser.account);
  if (browser.account === undefined) return visit;
  noteUse(services, browser);
  const { formSecret } = await secretsOf(services);
  return { ...visit, formToken: formToken(formSecret, browser), sessionId: digestOfSecret(browser.secret) };
}

/** Once a day: nothing depends on this write. */
function noteUse({ client, now, report }: GatewayServices, { account, secret, lastUsedDay = 0 }: Browser): void {
  const day = dayOf(now());
  if (account === undefined || lastUsedDay >= day) return;
  client
    .call(Session.browserSessionUsed.to(browserKey(digestOfSecret(secret)), { day }), flowOfAccount(account.id))
    .catch((error: unknown) => report({ level: 'warn', message: 'the use of a session was not noted', error }));
}

/** At once, for a page that says what went wrong. */
export function visitWithoutForms(
  { request, services }: Pick<RawContext<GatewayServices>, 'request' | 'services'>,
  account: LocalAccount | undefined = browserOf(services, request).account,
): Visit {
  const now = services.now();
  return {
    services,
    settings: settingsOf(services),
    now,
    account,
    viewer: services.presenter.viewer(account?.id),
    formToken: undefined,
    sessionId: undefined,
    address: request.method === 'GET' || request.method === 'HEAD' ? request.url : '/',
  };
}

/** The id that a path names. Throws Failure notFound for what is no id. */
export function idInPath({ pathParameters }: Pick<RawContext<GatewayServices>, 'pathParameters'>, name = 'id'): Id {
  const id = parseId(pathParameters[name] ?? '');
  if (id === undefined) throw new Failure('notFound');
  return id;
}

/** Where a page of a list begins; what is no id is as good as none. Throws Failure badRequest. */
export function olderThanOf(request: Pick<IncomingRequest, 'query'>): Id | undefined {
  return parseId(queryFields(request.query).get('max_id') ?? '');
}
