import { describe, expect, test } from 'vitest';
import { hasAnyScope, knownScopes, scopeIncluded, sufficientScopes } from '../../src/operations/applications/scopes.ts';

describe('what an endpoint demands, and what a token may hold for it', () => {
  test.each([
    [['read:statuses'], ['read:statuses', 'read']],
    [['read'], ['read']],
    [['write:follows'], ['write:follows', 'write', 'follow']],
    [['read:blocks'], ['read:blocks', 'read', 'follow']],
    [['admin:read:reports'], ['admin:read:reports', 'admin:read']],
    [['admin:write'], ['admin:write']],
    [['push'], ['push']],
    [
      ['profile', 'read:accounts'],
      ['profile', 'read:accounts', 'read'],
    ],
    [[], []],
  ])('%j', (demanded, sufficient) => {
    expect(sufficientScopes(demanded)).toEqual(sufficient);
  });

  test.each(['crypto', 'admin', 'read:reports', 'read:everything', ''])('%j is no scope', (scope) => {
    expect(() => sufficientScopes([scope])).toThrow('There is no scope');
    expect(scopeIncluded(scope, new Set(['read', 'write']))).toBe(false);
  });
});

describe('what a set of scopes includes', () => {
  test.each([
    ['read:lists', ['read'], true],
    ['read', ['read:lists'], false],
    ['write:lists', ['read'], false],
    ['read:mutes', ['follow'], true],
    ['read:lists', ['follow'], false],
    ['follow', ['read', 'write'], true],
    ['follow', ['read', 'write:follows'], false],
    ['follow', ['follow'], true],
    ['admin:read:accounts', ['admin:read'], true],
    ['admin:read:accounts', ['read'], false],
    ['profile', ['read'], false],
  ])('%s in %j: %s', (scope, granted, included) => {
    expect(scopeIncluded(scope, new Set(granted))).toBe(included);
  });
});

test('every scope includes itself, and there are none without a use', () => {
  for (const scope of knownScopes) expect(hasAnyScope(new Set([scope]), sufficientScopes([scope]))).toBe(true);
  expect(knownScopes.size).toBe(7 + 12 + 14 + 14);
});
