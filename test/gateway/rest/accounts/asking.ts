/**
 * Asking endpoints without a socket: parameters are validated and handlers run as in the server, over the partitions of
 * a test. What the HTTP layer does before (tokens, scopes, rate limits) is its own tests' business.
 */

import type { RequestContext } from '../../../../src/gateway/http/context.ts';
import type { Grant } from '../../../../src/gateway/http/grant.ts';
import type { ParameterTree } from '../../../../src/gateway/http/parameters/tree.ts';
import type { RateLimitClass } from '../../../../src/gateway/http/rate-limits.ts';
import { StatusPages } from '../../../../src/gateway/rest/status-pages/status-pages.ts';
import type { Endpoint } from '../../../../src/gateway/route.ts';
import { Addresses } from '../../../../src/services/addresses.ts';
import { EventHub } from '../../../../src/services/event-hub.ts';
import type { HomePage } from '../../../../src/services/feeds.ts';
import type { Services } from '../../../../src/services/services.ts';
import type { Person } from '../../../actors/account/people.ts';
import type { TestServer } from '../../../support/actors.ts';

export const origin = 'https://here.example';

export interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown> & { [index: number]: Record<string, unknown> };
  readonly link: string | undefined;
}

export class Desk {
  /** Successes counted against limits, by name. */
  readonly counted: RateLimitClass[] = [];
  /** Handles that other servers know, and the accounts that looking them up makes. */
  readonly elsewhere = new Map<string, bigint>();
  /** What the feeds have of every home. */
  home: HomePage | Promise<HomePage> = { ids: new BigUint64Array(), complete: true };
  private readonly services: Services;
  private readonly grants = new Map<string, Grant>();

  constructor(server: TestServer) {
    const addresses = new Addresses(origin);
    const events = new EventHub();
    const now = () => server.clock.now();
    this.services = {
      options: { dialect: 'specification' },
      addresses,
      client: server,
      events,
      feeds: { home: () => this.home },
      statusPages: new StatusPages({ snapshots: server.read, addresses, events, now }),
      get snapshots() {
        return server.read;
      },
      resolver: {
        resolveHandles: async (handles: readonly string[]) =>
          new Map([...this.elsewhere].filter(([handle]) => handles.includes(handle))),
      },
      // One gateway: nothing to wait for.
      barrier: { narrowed: () => Promise.resolve() },
      now,
    } as unknown as Services;
  }

  /** Rejects with the Failure that the endpoint threw. `person` is undefined for a request without a token. */
  async ask(
    endpoint: Endpoint<Services>,
    person: Person | undefined,
    parameters: ParameterTree = {},
    dialect: Grant['dialect'] = 'specification',
  ): Promise<Answered> {
    const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => String(parameters[name]));
    const context = {
      request: { origin, path, query: '', header: () => undefined },
      grant: person === undefined ? undefined : this.grantOf(person, dialect),
      services: this.services,
      checkLimit: () => undefined,
      countLimit: (name: RateLimitClass) => void this.counted.push(name),
    } as unknown as RequestContext<Services, Grant | undefined>;
    const answer = await endpoint.respond(context, endpoint.validate(parameters));
    return { status: answer.status, body: JSON.parse(Buffer.from(answer.body).toString()), link: answer.headers?.Link };
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
