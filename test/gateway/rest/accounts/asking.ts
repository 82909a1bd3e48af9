/**
 * Asking endpoints without a socket: parameters are validated and handlers run as in the server, over the partitions of
 * a test. What the HTTP layer does before (tokens, scopes, rate limits) is its own tests' business.
 */

import { type GatewayServices, gatewayServices } from '../../../../src/gateway/gateway-services.ts';
import type { RequestContext } from '../../../../src/gateway/http/context.ts';
import type { Grant } from '../../../../src/gateway/http/grant.ts';
import type { ParameterTree } from '../../../../src/gateway/http/parameters/tree.ts';
import type { Endpoint } from '../../../../src/gateway/route.ts';
import type { AccountCaller, VisitorCaller } from '../../../../src/operations/caller.ts';
import { type OperationRateLimit, unlimited } from '../../../../src/operations/rate-limits.ts';
import type { HomePage } from '../../../../src/services/feeds.ts';
import type { Person } from '../../../actors/account/observer.ts';
import type { TestServer } from '../../../support/actors.ts';
import { origin, testServices } from '../../../support/services.ts';

export { origin };

export interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown> & { [index: number]: Record<string, unknown> };
  readonly link: string | undefined;
}

export class Desk {
  /** Successes counted against limits, by name. */
  readonly counted: OperationRateLimit[] = [];
  /** Headers of the requests, by their names in small letters. */
  readonly headers = new Map<string, string>();
  /** Handles that other servers know, and the accounts that looking them up makes. */
  readonly elsewhere = new Map<string, bigint>();
  /** What the feeds have of every home. */
  home: HomePage | Promise<HomePage> = { ids: new BigUint64Array(), complete: true };
  private readonly services: GatewayServices;
  private readonly grants = new Map<string, Grant>();

  constructor(server: TestServer) {
    const services = testServices(server, this);
    server.watch((batch) => services.events.dispatch(batch, []));
    this.services = gatewayServices(services);
  }

  /** The dialect of whoever has no token. */
  set visitorDialect(dialect: Grant['dialect']) {
    Object.assign(this.services.options, { dialect });
  }

  /** Rejects with the Failure that the endpoint threw. `person` is undefined for a request without a token. */
  async ask(
    endpoint: Endpoint<GatewayServices>,
    person: Person | undefined,
    parameters: ParameterTree = {},
    dialect: Grant['dialect'] = 'specification',
  ): Promise<Answered> {
    const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => String(parameters[name]));
    const context = {
      request: { origin, path, query: '', header: (name: string) => this.headers.get(name) },
      grant: person === undefined ? undefined : this.grantOf(person, dialect),
      services: this.services,
      caller: this.callerOf(person),
    } as unknown as RequestContext<GatewayServices, Grant | undefined>;
    const answer = await endpoint.respond(context, endpoint.validate(parameters));
    return { status: answer.status, body: JSON.parse(Buffer.from(answer.body).toString()), link: answer.headers?.Link };
  }

  private callerOf(person: Person | undefined): AccountCaller | VisitorCaller {
    const limits = { ...unlimited, count: (name: OperationRateLimit) => void this.counted.push(name) };
    return person === undefined
      ? { kind: 'visitor', accountId: undefined, limits }
      : { kind: 'account', accountId: person.id, limits };
  }

  /** One object as long as it is used, as in the server. */
  private grantOf(person: Person, dialect: Grant['dialect']): Grant {
    const name = `${person.id} ${dialect}`;
    const known = this.grants.get(name);
    if (known !== undefined) return known;
    const grant = { tokenId: 'token', accountId: person.id, applicationId: 1n, scopes: new Set<string>(), dialect };
    this.grants.set(name, grant);
    return grant;
  }
}
