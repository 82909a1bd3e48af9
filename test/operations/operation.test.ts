import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Role } from '../../src/actors/account/profile/profile.records.ts';
import { builtInRoles, countingBits } from '../../src/actors/policy/roles.ts';
import { flowOf, operator } from '../../src/operations/caller.ts';
import { type OperationContext, operation } from '../../src/operations/operation.ts';
import { type PermissionName, permissions, type StaffPermission } from '../../src/operations/permissions.ts';
import type { CallerLimits, OperationRateLimit } from '../../src/operations/rate-limits.ts';
import { Failure } from '../../src/runtime/errors.ts';
import type { RevocationBarrier } from '../../src/services/revocation-barrier.ts';
import { only } from '../support/only.ts';
import { outcomeOf } from '../support/outcome.ts';
import { Callers } from './callers.ts';

const nothing = z.object({});

describe('a permission', () => {
  const isOfStaff = (name: PermissionName): name is StaffPermission => permissions[name].holder === 'staff';
  const answering = (permission: PermissionName) => {
    const declared = { input: nothing, run: () => 'done' };
    return isOfStaff(permission)
      ? operation({ ...declared, permission, audit: { nothing: 'a test' } })
      : operation({ ...declared, permission });
  };

  test.each<[PermissionName, Role, 'done' | 'forbidden']>([
    ['look', 'user', 'done'],
    ['post', 'user', 'done'],
    ['manageUsers', 'user', 'forbidden'],
    ['manageUsers', 'moderator', 'done'],
    ['manageUsers', 'admin', 'done'],
    ['manageSettings', 'moderator', 'forbidden'],
    ['manageSettings', 'admin', 'done'],
    ['operateMachine', 'admin', 'forbidden'],
  ])('%s of the role %s: %s', (permission, role, outcome) => {
    const callers = new Callers();
    const context = callers.as(callers.people.local('alice', {}, { role }));
    const answer = () => answering(permission)(context, {});
    if (outcome === 'done') expect(answer()).toBe('done');
    else expect(answer).toThrow(new Failure('forbidden'));
  });

  test('of staff is refused to an account of another server', () => {
    const callers = new Callers();
    const context = callers.as(callers.people.remote('rita', 'there.example'));
    expect(() => answering('manageUsers')(context, {})).toThrow(new Failure('forbidden'));
  });

  test.each(['manageUsers', 'operateMachine'] as const)('%s belongs to the operator', (permission) => {
    const { services } = new Callers();
    expect(answering(permission)({ caller: operator, services }, {})).toBe('done');
  });

  // The numbers that Mastodon answers for such roles, with what everybody may.
  test.each<[Role, number]>([
    ['user', 65_536],
    ['moderator', 1_115_420],
    ['admin', 2_097_148],
    ['owner', 8_388_607],
  ])('of the role %s are the bits %i', (role, bits) => {
    expect(countingBits(builtInRoles[role])).toBe(bits);
  });
});

describe('the wait for other gateways', () => {
  const refusing = new Failure('notFound');
  const runs: Readonly<Record<string, (context: OperationContext) => unknown>> = {
    'looks only': async () => 'done',
    'answers at once': () => 'done',
    'changes what nobody caches': async ({ services, caller }) => {
      await services.client.call(Account.setNote.to(caller.accountId!, { targetId: 1n, comment: 'x' }), flowOf(caller));
      return 'done';
    },
    'changes what is cached': async ({ services, caller }) => {
      await services.client.call(Account.mute.to(caller.accountId!, mute), flowOf(caller));
      return 'done';
    },
    'changes it and then fails': async ({ services, caller }) => {
      await services.client.call(Account.mute.to(caller.accountId!, mute), flowOf(caller));
      throw refusing;
    },
  };
  const mute = { targetId: 1n, hideNotifications: true, durationSeconds: 0 };

  test.each<[string, hasOthers: boolean, waits: number]>([
    ['looks only', true, 0],
    ['answers at once', true, 0],
    ['changes what nobody caches', true, 0],
    ['changes what is cached', false, 0],
    ['changes what is cached', true, 1],
    ['changes it and then fails', true, 1],
  ])('of an operation that %s, with others: %s', async (what, hasOthers, waits) => {
    const callers = new Callers();
    const { caller, services } = callers.as(callers.people.local('alice'));
    let waited = 0;
    const appliedEverywhere = async () => {
      waited += 1;
    };
    const barrier = only<RevocationBarrier>('barrier', { hasOthers, appliedEverywhere });
    const performed = operation({ input: nothing, permission: 'relate', run: runs[what]! });
    const outcome = (async () => performed({ caller, services: { ...services, barrier } }, {}))();
    if (what === 'changes it and then fails') await expect(outcome).rejects.toThrow(refusing);
    else expect(await outcome).toBe('done');
    expect(waited).toBe(waits);
  });
});

describe('a limit', () => {
  class Counters implements CallerLimits {
    readonly asked: string[] = [];
    left = 1;

    take(name: OperationRateLimit): void {
      this.asked.push(`take ${name}`);
      this.demand();
    }

    takeFor(): void {
      throw new Error('nothing is named here');
    }

    check(name: OperationRateLimit): void {
      this.asked.push(`check ${name}`);
      this.demand();
    }

    count(name: OperationRateLimit): void {
      this.asked.push(`count ${name}`);
    }

    private demand(): void {
      if (this.left < 1) throw new Failure('tooManyRequests');
    }
  }

  const contextWith = (limits: Counters) => {
    const callers = new Callers();
    const { caller, services } = callers.as(callers.people.local('alice'));
    return { caller: { ...caller, limits }, services };
  };
  const input = z.object({ outcome: z.string() });
  type Given = z.infer<typeof input>;
  const later = async (_context: unknown, { outcome }: Given) => {
    if (outcome === 'refused') throw new Failure('notFound');
    return outcome;
  };
  const atOnce = (_context: unknown, { outcome }: Given) => outcome;
  const isNew = (outcome: string) => outcome === 'new';

  test.each([
    ['of attempts is counted before, also of a failure', 'statusDeletion', later, 'refused', ['take statusDeletion']],
    ['of successes is counted after', 'statuses', later, 'new', ['check statuses', 'count statuses']],
    [
      'of successes is counted for what is done at once',
      'statuses',
      atOnce,
      'new',
      ['check statuses', 'count statuses'],
    ],
    ['of successes does not count a failure', 'statuses', later, 'refused', ['check statuses']],
    ['of successes does not count what changed nothing', 'follows', later, 'old', ['check follows']],
  ] as const)('%s', async (_case, limit, run, outcome, asked) => {
    const limits = new Counters();
    const limited = operation<typeof input, 'post', string | Promise<string>>({
      input,
      permission: 'post',
      limit,
      counts: isNew,
      run,
    });
    expect(await outcomeOf(limited(contextWith(limits), { outcome }))).toBe(
      outcome === 'refused' ? 'notFound' : 'answered',
    );
    expect(limits.asked).toEqual(asked);
  });

  test.each(['statuses', 'statusDeletion'] as const)('%s stops what is too much before it runs', (limit) => {
    const limits = new Counters();
    limits.left = 0;
    let runs = 0;
    const limited = operation({ input: nothing, permission: 'post', limit, run: () => (runs += 1) });
    expect(() => limited(contextWith(limits), {})).toThrow(new Failure('tooManyRequests'));
    expect(runs).toBe(0);
  });
});
