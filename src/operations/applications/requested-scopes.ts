/** The scopes that a client requests: a subset of those that its application registered. */
import { Failure } from '../../runtime/errors.ts';
import { defaultScope, splitScopes } from './register-application.ts';
import { knownScopes, scopeIncluded } from './scopes.ts';

/** Throws Failure invalidScope for a scope that is unknown, or more than the application registered. */
export function requestedScopes(given: string | undefined, registered: readonly string[]): string[] {
  const asked = splitScopes(given ?? '');
  const scopes = asked.length === 0 ? [defaultScope] : asked;
  const granted = new Set(registered);
  if (!scopes.every((scope) => knownScopes.has(scope) && scopeIncluded(scope, granted))) {
    throw new Failure('invalidScope', {
      text: 'The requested scope is unknown, or is not one that the application registered.',
    });
  }
  return scopes;
}
