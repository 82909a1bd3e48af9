/** How a node follows logs beside what else it does. */
import { expect, test } from 'vitest';
import { type Following, followOn } from '../../../src/server/cluster/follow.ts';
import { VirtualTime } from '../../runtime/support/leases.ts';

const time = new VirtualTime();

/** A log, and how often it was followed. */
class Followed {
  times = 0;
  answer: () => Promise<void> = () => Promise.resolve();

  catchUp(): Promise<void> {
    this.times += 1;
    return this.answer();
  }
}

const following: Following = { caughtUp: () => undefined, pause: (milliseconds) => time.pause(milliseconds) };

test('logs are followed until that is ended, also where one answers late', async () => {
  const logs = [new Followed(), new Followed()];
  const beside = followOn(logs, following);
  await time.pass(10_000);
  expect(logs.map(({ times }) => times > 10)).toEqual([true, true]);
  const late = Promise.withResolvers<void>();
  logs[0]!.answer = () => late.promise;
  await time.pass(10_000);
  beside.end();
  const seen = logs.map(({ times }) => times);
  late.resolve();
  await time.pass(10_000);
  expect(logs.map(({ times }) => times)).toEqual(seen);
  beside.assertGoesOn();
});

test('what a log cannot go on with is told', async () => {
  const log = new Followed();
  const beside = followOn([log], following);
  log.answer = () => Promise.reject(new Error('it is another history'));
  await time.pass(1_000);
  expect(() => beside.assertGoesOn()).toThrow('Partition 0 cannot go on with its log. it is another history');
});
