/**
 * What was made of queries before: clients ask with the same few again and again, and parsing and validating `?limit=20`
 * costs as much as a fifth of a timeline (measured).
 */
import { httpLimits } from './limits.ts';

export class KnownQueries<Value> {
  private readonly queries = new Map<string, Value>();

  get(query: string): Value | undefined {
    return this.queries.get(query);
  }

  /** Keeps short ones; none with a token in it. From here on the value is shared, and frozen. */
  add(query: string, value: Value): void {
    if (query.length > httpLimits.knownQueryCharactersMax || query.includes('access_token')) return;
    if (this.queries.size >= httpLimits.knownQueriesMax) this.queries.clear();
    this.queries.set(query, Object.freeze(value));
  }
}
