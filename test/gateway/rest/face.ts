/**
 * Endpoints answered in this thread, over the accounts of a `Circle`: parameters as a parsed request has them, the grant
 * as the token check gives it, and behind it the real handlers, partitions and queries.
 */
import { Addresses } from '../../../src/gateway/addresses.ts';
import type { Answer } from '../../../src/gateway/http/answers.ts';
import type { Grant } from '../../../src/gateway/http/grant.ts';
import type { ParameterTree } from '../../../src/gateway/http/parameters/tree.ts';
import type { IncomingRequest } from '../../../src/gateway/http/request.ts';
import type { Endpoint } from '../../../src/gateway/route.ts';
import type { Services } from '../../../src/gateway/services.ts';
import type { Circle, Person } from '../../actors/account/circle.ts';

export const origin = 'https://here.test';

export interface Seen {
  readonly status: number;
  // What a test looks into: statuses, accounts, lists of them.
  readonly body: Json;
  /** The parameters of the links of a page, by relation. */
  readonly links: Readonly<Record<string, Record<string, string>>>;
}

export interface Json {
  readonly [key: string]: Json;
}

export class Face {
  readonly counted: string[] = [];
  dialect: Grant['dialect'] = 'specification';
  private readonly services: Services;

  constructor(circle: Circle) {
    const { server } = circle;
    this.services = {
      addresses: new Addresses(origin),
      snapshots: server.read,
      client: { call: server.call.bind(server) },
      options: { dialect: 'specification' },
      now: () => server.clock.now(),
    } as unknown as Services;
  }

  /** Rejects with the Failure that the endpoint threw. */
  async ask(endpoint: Endpoint<Services>, by: Person | undefined, given: Record<string, unknown> = {}): Promise<Seen> {
    this.services.snapshots.fresh();
    const parameters = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
    );
    const free = Object.entries(parameters).filter(([name]) => !endpoint.pathNames.includes(name));
    const query = new URLSearchParams(free.map(([name, value]): [string, string] => [name, String(value)])).toString();
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(parameters[name]));
    const context = {
      request: { publicOrigin: origin, path, query } as IncomingRequest,
      grant: by === undefined ? undefined : this.grantOf(by),
      services: this.services,
      checkLimit: () => undefined,
      countLimit: (name: string) => void this.counted.push(name),
    };
    return seen(await endpoint.respond(context, parameters as ParameterTree));
  }

  private grantOf({ id: accountId }: Person): Grant {
    return { tokenId: 'token', accountId, applicationId: 1n, scopes: new Set(), dialect: this.dialect };
  }
}

function seen({ status, body, headers }: Answer): Seen {
  const links = [...(headers?.Link ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, address, relation]) => [
    relation,
    Object.fromEntries(new URL(address!).searchParams),
  ]);
  return { status, body: JSON.parse(String(body)), links: Object.fromEntries(links) };
}

/** The ids in a list of entities. */
export function idsIn(body: Json): string[] {
  return Array.from(body as unknown as { id: string }[], ({ id }) => id);
}
