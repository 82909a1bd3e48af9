/**
 * The API without sockets, over partitions in memory: parameters are validated and handlers run as in the server. The
 * HTTP layer (tokens, scopes, rate limits) has tests of its own.
 */

import { type GatewayServices, gatewayServices } from '../../src/gateway/gateway-services.ts';
import { wholeBody } from '../../src/gateway/http/answers.ts';
import type { RequestContext } from '../../src/gateway/http/context.ts';
import { failureAnswer } from '../../src/gateway/http/failure-answer.ts';
import type { Grant } from '../../src/gateway/http/grant.ts';
import type { ParameterTree } from '../../src/gateway/http/parameters/tree.ts';
import type { IncomingRequest } from '../../src/gateway/http/request.ts';
import type { Endpoint } from '../../src/gateway/route.ts';
import type { AccountCaller, VisitorCaller } from '../../src/operations/caller.ts';
import { type OperationRateLimit, unlimited } from '../../src/operations/rate-limits.ts';
import { Failure } from '../../src/runtime/errors.ts';
import type { HomePage } from '../../src/services/feeds.ts';
import type { TestServer } from './actors.ts';
import type { Person } from './observer.ts';
import { only } from './only.ts';
import { origin, testServices } from './services.ts';

type Dialect = Grant['dialect'];

type Entity = Record<string, unknown>;

export interface ApiAnswer<Body = Entity & { [index: number]: Entity }> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  /** The parameters of each link of a page, by relation. */
  readonly links: Readonly<Record<string, Record<string, string>>>;
}

export class MemoryApi {
  /** Of the tokens of all people. */
  dialect: Dialect = 'specification';
  /** Successes counted against limits, by name. */
  readonly counted: OperationRateLimit[] = [];
  /** Headers of the requests, by their names in small letters. */
  readonly headers = new Map<string, string>();
  /** Handles that other servers know, with the accounts created by looking them up. */
  readonly elsewhere = new Map<string, bigint>();
  /** The page that feeds return for every home; undefined for what belongs into it. */
  home: HomePage | Promise<HomePage> | undefined = { ids: new BigUint64Array(), complete: true };
  /** The page that feeds return for every list, if any. */
  list: HomePage | undefined;
  readonly services: GatewayServices;
  private readonly grants = new Map<string, Grant>();

  /** `carry` lets events arrive later, those of one partition in their order; they arrive at once where it is absent. */
  constructor(
    server: TestServer,
    carry: (partition: number, arrive: () => void) => void = (_partition, arrive) => arrive(),
  ) {
    const services = testServices(server, this);
    server.watch(
      (batch) => carry(batch.partition, () => services.events.dispatch(batch, [])),
      () => services.events.dispatchLoss(),
    );
    this.services = gatewayServices(services);
  }

  /** The dialect of requests without a token. */
  set visitorDialect(dialect: Dialect) {
    Object.assign(this.services.options, { dialect });
  }

  /**
   * Parameters may contain ids as bigints. Rejects with the Failure of the endpoint; its `status` and `message` are
   * those of the answer. `person` is undefined for a request without a token; `Body` is the part of the answer that the
   * test reads.
   */
  async ask<Body = ApiAnswer['body']>(
    endpoint: Endpoint<GatewayServices>,
    person: Person | undefined,
    given: Readonly<Record<string, unknown>> = {},
    dialect: Dialect = this.dialect,
  ): Promise<ApiAnswer<Body>> {
    const values = Object.entries(given).map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value]);
    const parameters: ParameterTree = Object.fromEntries(values);
    const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => String(parameters[name]));
    const context = only<RequestContext<GatewayServices, Grant | undefined>>('context', {
      request: only<IncomingRequest>('request', {
        ...{ origin, path, query: '', hasLeft: false, parameterNames: endpoint.parameterNames },
        header: (name) => this.headers.get(name),
      }),
      grant: person === undefined ? undefined : this.grantOf(person, dialect),
      services: this.services,
      caller: this.callerOf(person),
    });
    const respond = async () => {
      endpoint.admit(context);
      return endpoint.respond(context, endpoint.validate(parameters));
    };
    const { status, body, headers = {} } = await respond().catch(refuseAsAnswered);
    return {
      status,
      headers,
      body: JSON.parse(Buffer.from(wholeBody(body)).toString()),
      links: linksOf(headers.Link ?? ''),
    };
  }

  private callerOf(person: Person | undefined): AccountCaller | VisitorCaller {
    const limits = { ...unlimited, count: (name: OperationRateLimit) => void this.counted.push(name) };
    return person === undefined
      ? { kind: 'visitor', accountId: undefined, limits }
      : { kind: 'account', accountId: person.id, limits };
  }

  /** The same object for each use, as in the server. */
  private grantOf(person: Person, dialect: Dialect): Grant {
    const name = `${person.id} ${dialect}`;
    const known = this.grants.get(name);
    if (known !== undefined) return known;
    const grant = { tokenId: 'token', accountId: person.id, applicationId: 1n, scopes: new Set<string>(), dialect };
    this.grants.set(name, grant);
    return grant;
  }
}

function refuseAsAnswered(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  const { status, body } = failureAnswer(error, 'api');
  const { error: message } = JSON.parse(Buffer.from(wholeBody(body)).toString()) as { error: string };
  throw Object.assign(error, { status, message });
}

function linksOf(header: string): Record<string, Record<string, string>> {
  const links = header.matchAll(/<([^>]*)>; rel="(\w+)"/g);
  return Object.fromEntries(
    Array.from(links, ([, address, relation]) => [relation, Object.fromEntries(new URL(address!).searchParams)]),
  );
}

/** The ids in a list of entities. */
export function idsIn(list: unknown): string[] {
  return (list as { id: string }[]).map(({ id }) => id);
}
