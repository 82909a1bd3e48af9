/**
 * Fast comparison for long random tests, in which almost everything is equal and `expect` would take most of the time.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** As `expect(actual, message).toEqual(expected)`, but absent keys and keys that are undefined differ. */
export function expectEqual(actual: unknown, expected: unknown, message?: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toStrictEqual(expected);
}
