/** A request for a page: the visitor, and what the parts of a page need to know about the visitor. */
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { AuditMoments } from '../../actors/audit.records.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import { browserKey, dayOf, digestOfSecret, Session } from '../../actors/session/session.messages.ts';
import { type EffectiveSettings, settingsOf } from '../../operations/instance/settings.ts';
import { useFrom } from '../../operations/registration/sign-in-source.ts';
import { Failure, isTemporary } from '../../runtime/errors.ts';
import { traced } from '../../runtime/flow.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { flowOfAccount } from '../../services/services.ts';
import type { Asker } from '../../services/time-slices.ts';
import type { Words } from '../../services/words/languages.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { acceptedLanguages } from '../http/accept-language.ts';
import type { AnswerHeaders } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import type { IncomingRequest } from '../http/request.ts';
import { type Browser, browserOf, formToken, sessionCookieOf } from '../oauth/browser.ts';
import { queryFields } from '../oauth/forms.ts';
import { wordsFor } from './words-for.ts';

export interface Visit {
  readonly services: GatewayServices;
  /** The request, whose client may leave. */
  readonly asker: Asker;
  /** Of what the request causes, where it is traced. */
  readonly cause: string | undefined;
  readonly settings: EffectiveSettings;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The signed-in account. */
  readonly account: LocalAccount | undefined;
  /** Signed in, but disabled, suspended, or about to be deleted. */
  readonly barred?: LocalAccount | undefined;
  readonly viewer: Viewer;
  /** The token of the page's forms; undefined where nobody is signed in, and there are no forms. */
  readonly formToken: string | undefined;
  /** On pages of staff: how far the audit log had come when the page was made. */
  readonly known?: AuditMoments;
  /** Of the browser of a signed-in visitor. */
  readonly sessionId: string | undefined;
  /** What the answer carries, so that the browser keeps its session as long as the server does. */
  readonly renewal?: AnswerHeaders | undefined;
  /** What the page says, in the visitor's language. */
  readonly words: Words;
  /** The language that the visitor's browser asks for first. */
  readonly language: string | undefined;
  /** Path and query of this page, to return to; the start page for requests that are not pages. */
  readonly address: string;
}

/** The visit of a signed-in visitor. */
export interface MemberVisit extends Visit {
  readonly account: LocalAccount;
}

export function memberOf(visit: Visit): MemberVisit | undefined {
  const { account } = visit;
  return account === undefined ? undefined : { ...visit, account };
}

type VisitContext = Pick<RawContext<GatewayServices>, 'request' | 'services'> & Partial<Pick<Visit, 'cause'>>;

export async function visitOf(context: VisitContext): Promise<Visit> {
  const { request, services, cause } = context;
  const browser = browserOf(services, request);
  const visit = { ...visitWithoutForms(context, browser.account), barred: browser.barred };
  if (browser.account === undefined && browser.barred === undefined) return visit;
  const isFirstOfDay = noteUse(services, browser, request, cause);
  const renewal = isFirstOfDay ? sessionCookieOf(request, browser.secret) : undefined;
  const { formSecret } = await secretsOf(services);
  return { ...visit, formToken: formToken(formSecret, browser), sessionId: digestOfSecret(browser.secret), renewal };
}

/** Once a day, and says whether it is then: nothing depends on this write. */
function noteUse(
  services: GatewayServices,
  { account, secret, lastUsedDay = 0 }: Browser,
  { ip }: Pick<IncomingRequest, 'ip'>,
  cause: string | undefined,
): boolean {
  const { client, now, report } = services;
  const day = dayOf(now());
  if (account === undefined || lastUsedDay >= day) return false;
  client
    .call(
      Session.browserSessionUsed.to(browserKey(digestOfSecret(secret)), { day, from: useFrom(services, ip) }),
      traced(flowOfAccount(account.id), cause),
    )
    .catch((error: unknown) => {
      // The next visit tries again.
      if (!isTemporary(error)) report({ level: 'warn', message: 'the use of a session could not be recorded', error });
    });
  return true;
}

/** Synchronous, for a page about a failure. */
export function visitWithoutForms(
  { request, services, cause }: VisitContext,
  account: LocalAccount | undefined = browserOf(services, request).account,
): Visit {
  const now = services.now();
  return {
    services,
    asker: request,
    cause,
    settings: settingsOf(services),
    now,
    account,
    viewer: services.presenter.viewer(account?.id),
    formToken: undefined,
    sessionId: undefined,
    words: wordsFor(services, request, account),
    language: acceptedLanguages(request.header('accept-language'))[0],
    address: request.method === 'GET' || request.method === 'HEAD' ? request.url : '/',
  };
}

/** The visit of a stranger, for what is shown to everybody alike: in the language of the operator's choice. */
export function anonymousVisit(visit: Visit): Visit {
  const { presenter, languages } = visit.services;
  const viewer = presenter.viewer(undefined);
  return { ...visit, words: languages.preset, account: undefined, viewer, formToken: undefined, sessionId: undefined };
}

/** The id in a path. Throws Failure notFound for anything else. */
export function idInPath({ pathParameters }: Pick<RawContext<GatewayServices>, 'pathParameters'>, name = 'id'): Id {
  const id = parseId(pathParameters[name] ?? '');
  if (id === undefined) throw new Failure('notFound');
  return id;
}

/** Where a page of a list ends that is read upwards; an invalid id is ignored. Throws Failure badRequest. */
export function newerThanOf(request: Pick<IncomingRequest, 'query'>): Id | undefined {
  return parseId(queryFields(request.query).get('min_id') ?? '');
}

/** Where a page of a list begins; an invalid id is ignored. Throws Failure badRequest. */
export function olderThanOf(request: Pick<IncomingRequest, 'query'>): Id | undefined {
  return parseId(queryFields(request.query).get('max_id') ?? '');
}
