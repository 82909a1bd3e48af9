/**
 * Endpoints asked without a socket by the people of a `Circle`. Ids may be given as they are, and the links of a page
 * come as the parameters that lead on.
 */
import type { ParameterTree } from '../../../src/gateway/http/parameters/tree.ts';
import type { Endpoint } from '../../../src/gateway/route.ts';
import type { Services } from '../../../src/services/services.ts';
import type { Circle } from '../../actors/account/circle.ts';
import type { Person } from '../../actors/account/observer.ts';
import { type Answered, Desk } from './accounts/asking.ts';

export interface Seen extends Omit<Answered, 'link'> {
  /** By relation. */
  readonly links: Readonly<Record<string, Record<string, string>>>;
}

export class Face {
  dialect: 'specification' | 'mastodon' = 'specification';
  private readonly desk: Desk;

  constructor(circle: Circle) {
    this.desk = new Desk(circle.server);
  }

  /** Headers of the requests, by their names in small letters. */
  get headers(): Map<string, string> {
    return this.desk.headers;
  }

  /** Of requests without a token. */
  set visitorDialect(dialect: 'specification' | 'mastodon') {
    this.desk.visitorDialect = dialect;
  }

  /** Successes counted against limits, by name. */
  get counted(): readonly string[] {
    return this.desk.counted;
  }

  /** Rejects with the Failure that the endpoint threw. */
  async ask(endpoint: Endpoint<Services>, by: Person | undefined, given: Record<string, unknown> = {}): Promise<Seen> {
    const parameters = Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? value.toString() : value,
    ]);
    const tree: ParameterTree = Object.fromEntries(parameters);
    const { link, ...answered } = await this.desk.ask(endpoint, by, tree, this.dialect);
    return { ...answered, links: linksOf(link ?? '') };
  }
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
