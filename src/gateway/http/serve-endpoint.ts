/**
 * Runs a request through an endpoint: token, rate limit, scope, parameters, handler. Synchronous throughout where the
 * token is cached, the handler is synchronous and there is no body: such a request creates no promise.
 */
import { hasAnyScope } from '../../operations/applications/scopes.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Endpoint, ValidParameters } from '../route.ts';
import type { Answer } from './answers.ts';
import { announcesBody, collectBody } from './body-collector.ts';
import type { Exchange } from './exchange.ts';
import type { Admission, Authenticate, Grant } from './grant.ts';
import { KnownQueries } from './known-queries.ts';
import { httpLimits } from './limits.ts';
import { bodyKind, parseBody } from './parameters/body.ts';
import type { ParameterTree } from './parameters/tree.ts';
import { decodePercent, parseUrlEncoded } from './parameters/urlencoded.ts';
import type { IncomingRequest } from './request.ts';
import { bodyToken, tokenOf } from './token.ts';
import { type SizeCheck, Upload } from './uploads/upload.ts';

export class EndpointServer<Services> {
  private readonly endpoint: Endpoint<Services>;
  private readonly authenticate: Authenticate;
  /** For endpoints without a body; parameters in the path are left out. */
  private readonly knownQueries: KnownQueries<Partial<ValidParameters>> | undefined;

  constructor(endpoint: Endpoint<Services>, authenticate: Authenticate) {
    this.endpoint = endpoint;
    this.authenticate = authenticate;
    const readsNoBody = endpoint.methods.every((method) => method === 'GET');
    this.knownQueries = readsNoBody ? new KnownQueries() : undefined;
  }

  serve(exchange: Exchange<Services>, pathValues: readonly string[]): void {
    try {
      exchange.request.parameterNames = this.endpoint.parameterNames;
      if (this.endpoint.hasFreeParameters && mayHaveBody(exchange.request) && announcesBody(exchange)) {
        if (this.isUpload(exchange)) void this.serveUpload(exchange, pathValues);
        else void this.serveWithBody(exchange, pathValues);
        return;
      }
      exchange.state.beginReads();
      const token = this.tokenOf(exchange);
      const grant =
        token === undefined ? undefined : this.authenticate(token, exchange.request, admissionOf(this.endpoint));
      if (grant instanceof Promise) {
        void this.serveOnceAuthenticated(exchange, pathValues, grant);
        return;
      }
      this.admit(exchange, token !== undefined, grant);
      this.respond(exchange, this.parametersOf(exchange, pathValues));
    } catch (error) {
      this.refuse(exchange, error);
    }
  }

  private async serveOnceAuthenticated(
    exchange: Exchange<Services>,
    pathValues: readonly string[],
    grant: Promise<Grant | undefined>,
  ): Promise<void> {
    exchange.detach();
    try {
      this.admit(exchange, true, await grant);
      exchange.state.beginReads();
      this.respond(exchange, this.parametersOf(exchange, pathValues));
    } catch (error) {
      this.refuse(exchange, error);
    }
  }

  private async serveWithBody(exchange: Exchange<Services>, pathValues: readonly string[]): Promise<void> {
    try {
      exchange.detach();
      const collecting = collectBody(exchange, this.endpoint.bodyBytesMax);
      const token = this.tokenOf(exchange);
      // Unauthenticated requests must not make the server receive a large body, so only a small one may contain the
      // token.
      const tokenMayFollow = token === undefined && this.endpoint.bodyBytesMax <= httpLimits.bodyBytesMax;
      if (!tokenMayFollow) await this.admitToken(exchange, token);
      const body = await collecting;
      if (body === undefined) return;
      if (body instanceof Failure) throw body;
      const parameters = parseBody(exchange.request.header('content-type') ?? '', body);
      if (tokenMayFollow) await this.admitToken(exchange, this.tokenOf(exchange, parameters));
      exchange.state.beginReads();
      this.respond(exchange, this.validate(exchange, pathValues, parameters));
    } catch (error) {
      this.refuse(exchange, error);
    }
  }

  /** A form that contains its own token has to be small: its files are ignored. */
  private isUpload(exchange: Exchange<Services>): boolean {
    const { files, authentication } = this.endpoint;
    if (files === undefined || bodyKind(exchange.request.header('content-type') ?? '') !== 'multipart') return false;
    return authentication === 'none' || this.tokenOf(exchange) !== undefined;
  }

  /** Nothing is written of an upload whose sender is not admitted, and nothing stays of its files but what the handler kept. */
  private async serveUpload(exchange: Exchange<Services>, pathValues: readonly string[]): Promise<void> {
    let upload: Upload | undefined;
    try {
      exchange.detach();
      upload = new Upload(exchange, this.endpoint.files!);
      const size = await this.admitToken(exchange, this.tokenOf(exchange));
      upload.admit({ size });
      const parameters = await upload.outcome;
      if (parameters === undefined) return;
      if (parameters instanceof Failure) throw parameters;
      exchange.state.beginReads();
      exchange.send(await this.endpoint.respond(exchange, this.validate(exchange, pathValues, parameters)));
    } catch (error) {
      upload?.refuse();
      this.refuse(exchange, error);
    } finally {
      upload?.remove();
    }
  }

  /** Of the body, once received. Undefined also where tokens are ignored. */
  private tokenOf({ request }: Exchange<Services>, body?: ParameterTree): string | undefined {
    if (this.endpoint.authentication === 'none') return undefined;
    return body === undefined ? tokenOf(request) : bodyToken(body.access_token);
  }

  private async admitToken(exchange: Exchange<Services>, token: string | undefined): Promise<SizeCheck | undefined> {
    exchange.state.beginReads();
    const grant =
      token === undefined ? undefined : await this.authenticate(token, exchange.request, admissionOf(this.endpoint));
    return this.admit(exchange, token !== undefined, grant);
  }

  /** Throws Failure tokenInvalid, tooManyRequests, userRequired, loginDisabled, that of a missing scope or of `admit`. */
  private admit(exchange: Exchange<Services>, hasToken: boolean, grant: Grant | undefined): SizeCheck | undefined {
    this.check(exchange, hasToken, grant);
    return this.endpoint.admit(exchange);
  }

  private check(exchange: Exchange<Services>, hasToken: boolean, grant: Grant | undefined): void {
    const { authentication, sufficientScopes, scopeFailure, admitsMoved } = this.endpoint;
    exchange.grant = grant;
    this.count(exchange);
    if (grant === undefined) {
      if (hasToken || authentication === 'app' || authentication === 'user') throw new Failure('tokenInvalid');
      return;
    }
    if (sufficientScopes.length > 0 && !hasAnyScope(grant.scopes, sufficientScopes)) throw new Failure(scopeFailure);
    if (authentication !== 'user') return;
    if (grant.accountId === undefined) throw new Failure('userRequired');
    if (grant.hasMoved === true && !admitsMoved) throw new Failure('loginDisabled');
  }

  /** Throws Failure tooManyRequests. */
  private count(exchange: Exchange<Services>): void {
    const { rateLimit } = this.endpoint;
    if (rateLimit === 'none') return;
    exchange.takeLimit('api');
    if (rateLimit !== 'api') exchange.takeLimit(rateLimit);
  }

  /** A request with an invalid token or body is counted like any other: nonsense is not free. */
  private refuse(exchange: Exchange<Services>, error: unknown): void {
    try {
      if (!exchange.isCounted) this.count(exchange);
      exchange.fail(error);
    } catch (tooMany) {
      exchange.fail(tooMany);
    }
  }

  /** For a request without a body. */
  private parametersOf(exchange: Exchange<Services>, pathValues: readonly string[]): ValidParameters {
    if (this.knownQueries === undefined) return this.validate(exchange, pathValues, {});
    const { query } = exchange.request;
    const known = this.knownQueries.get(query);
    if (known !== undefined) return this.endpoint.withPath(known, this.treeOfPath(pathValues));
    const parameters = this.validate(exchange, pathValues, {});
    this.knownQueries.add(query, this.endpoint.withoutPath(parameters));
    return parameters;
  }

  /** Throws Failure for invalid parameters. */
  private validate(exchange: Exchange<Services>, pathValues: readonly string[], body: ParameterTree): ValidParameters {
    const { query } = exchange.request;
    const parameters =
      query === '' || !this.endpoint.hasFreeParameters ? body : Object.assign(parseUrlEncoded(query), body);
    return this.endpoint.validate(Object.assign(parameters, this.treeOfPath(pathValues)));
  }

  private treeOfPath(pathValues: readonly string[]): ParameterTree {
    const tree: ParameterTree = {};
    const names = this.endpoint.pathNames;
    for (let index = 0; index < names.length; index += 1) tree[names[index]!] = decodePercent(pathValues[index]!);
    return tree;
  }

  private respond(exchange: Exchange<Services>, parameters: ValidParameters): void {
    const answer = this.endpoint.respond(exchange, parameters);
    if (answer instanceof Promise) void sendLater(exchange, answer);
    else exchange.send(answer);
  }
}

/** Rails reads bodies of GET too, and libraries such as Mastodon.py rely on it. Unknown content there is ignored. */
function admissionOf({ admitsUnconfirmed, authentication }: Endpoint<never>): Admission {
  if (admitsUnconfirmed) return 'unconfirmed';
  return authentication === 'none' || authentication === 'optional' ? 'waiting' : 'active';
}

function mayHaveBody(request: IncomingRequest): boolean {
  if (request.method === 'HEAD') return false;
  return request.method !== 'GET' || bodyKind(request.header('content-type') ?? '') !== undefined;
}

/** Sends an answer once its promise settles. */
export async function sendLater<Services>(exchange: Exchange<Services>, answer: Promise<Answer>): Promise<void> {
  exchange.detach();
  try {
    exchange.send(await answer);
  } catch (error) {
    exchange.fail(error);
  }
}
