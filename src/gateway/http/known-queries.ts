/**
 * Results of validated queries: clients send the same few again and again, and parsing and validating `?limit=20` costs
 * a fifth of a timeline (measured).
 */
import { httpLimits } from './limits.ts';

export class KnownQueries<Value> {
  private readonly queries = new Map<string, Value>();

  get(query: string): Value | undefined {
    return this.queries.get(query);
  }

  /** Caches short queries; never one that contains a token. The value is shared from now on, and frozen. */
  add(query: string, value: Value): void {
    if (query.length > httpLimits.knownQueryCharactersMax || query.includes('access_token')) return;
    if (this.queries.size >= httpLimits.knownQueriesMax) this.queries.clear();
    this.queries.set(query, Object.freeze(value));
  }
}
