/**
 * Queries of one endpoint whose parameters were validated before: clients ask with the same few again and again, and
 * parsing and validating `?limit=20` costs as much as a fifth of a timeline (measured).
 */
import type { ValidParameters } from '../route.ts';
import { httpLimits } from './limits.ts';

export class KnownQueries {
  private readonly queries = new Map<string, ValidParameters>();

  get(query: string): ValidParameters | undefined {
    return this.queries.get(query);
  }

  /** Keeps short ones; none with a token in it. From here on the parameters are shared, and frozen. */
  add(query: string, parameters: ValidParameters): void {
    if (query.length > httpLimits.knownQueryCharactersMax || query.includes('access_token')) return;
    if (this.queries.size >= httpLimits.knownQueriesMax) this.queries.clear();
    this.queries.set(query, Object.freeze(parameters));
  }
}
