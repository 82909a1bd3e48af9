/** What a thread makes once from its services, and results that it keeps for a while. */
import { expect, test } from 'vitest';
import { KeptResult } from '../../src/services/kept-result.ts';
import { Members, member } from '../../src/services/members.ts';

test('a member is made once for a thread, also through a copy of its services with more in them', () => {
  const inbox = member(({ name }: { readonly name: string }) => ({ name }));
  const outbox = member(({ name }: { readonly name: string }) => ({ name }));
  const one = { members: new Members(), name: 'one' };
  const made = inbox(one);
  expect(inbox({ ...one, name: 'copy' })).toBe(made);
  expect(outbox(one)).not.toBe(made);
  expect(inbox({ members: new Members(), name: 'other' })).toEqual({ name: 'other' });
});

function resultsOf(...results: (string | Error)[]) {
  let now = 0;
  const rest = [...results];
  const settle: (() => void)[] = [];
  const compute = () =>
    new Promise<string>((resolve, reject) => {
      settle.push(() => {
        const result = rest.shift()!;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    });
  const kept = new KeptResult({ monotonic: () => now }, compute, (_result, took) => 10 * took);
  const finish = (milliseconds: number) => {
    now += milliseconds;
    settle.shift()!();
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { kept, finish, pass, underWay: () => settle.length };
}

test('a result is computed once for all who wait, and kept as long as it says', async () => {
  const { kept, finish, pass, underWay } = resultsOf('first', 'second');
  const waiting = [kept.get(), kept.get()];
  expect(underWay()).toBe(1);
  finish(5);
  expect(await Promise.all(waiting)).toEqual(['first', 'first']);
  pass(49);
  expect(await kept.get()).toBe('first');
  pass(1);
  const again = kept.get();
  finish(5);
  expect(await again).toBe('second');
});

test('a failure is told to all who wait, and is not kept', async () => {
  const { kept, finish } = resultsOf(new Error('unreachable'), 'then');
  const waiting = Promise.allSettled([kept.get(), kept.get()]);
  finish(1);
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = kept.get();
  finish(1);
  expect(await again).toBe('then');
});
