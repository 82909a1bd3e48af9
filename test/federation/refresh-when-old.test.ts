/** Background refreshes, and which of their failures are reported. */
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/actors/account/profile/profile.records.ts';
import { refreshWhenOld } from '../../src/federation/remote-objects/refresh-when-old.ts';
import { Failure } from '../../src/runtime/errors.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import type { Problem } from '../../src/runtime/ports.ts';
import type { Client } from '../../src/runtime/threads/client.ts';
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

test('a refresh is traced by the request of whoever looked', () => {
  const flows: unknown[] = [];
  const call: Client['call'] = (_message, flow) => {
    flows.push(flow);
    return new Promise(() => undefined);
  };
  const services = { client: { call }, now: () => someWeek, report: () => expect.fail() };
  refreshWhenOld(services, bob, { cause: 'request-1' });
  refreshWhenOld(services, bob);
  expect(flows).toEqual([{ flow: 'domain:remote.example', cause: 'request-1' }, 'domain:remote.example']);
});

describe('what another server cannot be asked', () => {
  const handle = 'bob@remote.example';
  const address = 'https://remote.example/bob';
  const unreachable = { code: 'remoteUnreachable' };

  test.each([
    ...failures.filter(([what]) => what !== 'the account is gone'),
    ['the other server does not answer', new Failure('remoteUnreachable'), false] as const,
  ])('is left out of many, and refused alone: %s', async (_what, error, isReported) => {
    const problems: Problem[] = [];
    const resolver = networkResolver(
      () => Promise.reject(error),
      evenPlacement(1),
      (problem) => void problems.push(problem),
    );
    expect(await resolver.resolveHandles([handle], 1_000)).toEqual(new Map());
    await expect(resolver.resolveHandle(handle, 1_000)).rejects.toMatchObject(unreachable);
    await expect(resolver.resolveAddress(address, 1_000)).rejects.toMatchObject(unreachable);
    expect(problems.map((problem) => problem.error)).toEqual(isReported ? [error, error, error] : []);
  });

  test('is the same when the deadline has passed', async () => {
    const resolver = networkResolver(
      () => new Promise(() => undefined),
      evenPlacement(1),
      () => expect.fail(),
    );
    expect(await resolver.resolveHandles([handle], 1)).toEqual(new Map());
    await expect(resolver.resolveHandle(handle, 1)).rejects.toMatchObject(unreachable);
    await expect(resolver.resolveAddress(address, 1)).rejects.toMatchObject(unreachable);
  });
});
