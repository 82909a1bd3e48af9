/** Refreshes in the background, and which of their failures are reported. */
import { expect, test } from 'vitest';
import type { Profile } from '../../src/actors/account/profile/profile.records.ts';
import { refreshWhenOld } from '../../src/federation/remote-objects/refresh-when-old.ts';
import { Failure } from '../../src/runtime/errors.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import type { Problem } from '../../src/runtime/ports.ts';
import { networkResolver } from '../../src/services/resolver.ts';
import { until } from '../support/until.ts';

const bob = { id: 1n, domain: 'remote.example', fetchedAt: 0 } as Profile;
const someWeek = 604_800_000;

const failures: readonly (readonly [string, unknown, boolean])[] = [
  ['the server is busy', new Failure('overloaded'), false],
  ['the thread stops', new Failure('outcomeUnknown'), false],
  ['the account is gone', new Failure('notFound'), false],
  ['a turn fails', new Failure('internal'), true],
  ['the program is wrong', new TypeError('no function'), true],
];

test.each(failures)('a refresh that nobody waits for: %s', async (_what, error, isReported) => {
  const reported: unknown[] = [];
  const asked = Promise.reject(error);
  refreshWhenOld(
    { client: { call: () => asked }, now: () => someWeek, report: (problem) => void reported.push(problem.error) },
    bob,
  );
  await expect(asked).rejects.toBe(error);
  await until(() => reported.length === Number(isReported));
  expect(reported).toEqual(isReported ? [error] : []);
});

test.each(
  failures.filter(([what]) => what !== 'the account is gone'),
)('what another server may know is left out: %s', async (_what, error, isReported) => {
  const problems: Problem[] = [];
  const resolver = networkResolver(
    () => Promise.reject(error),
    evenPlacement(1),
    (problem) => void problems.push(problem),
  );
  expect(await resolver.resolveHandles(['bob@remote.example'], 1_000)).toEqual(new Map());
  expect(await resolver.resolveAddress('https://remote.example/bob', 1_000)).toBeUndefined();
  expect(problems.map((problem) => problem.error)).toEqual(isReported ? [error, error] : []);
});
