/** Active accounts of any period, counted by the day on which they were active before, against a list of who was. */
import { expect, test } from 'vitest';
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import { activeAccounts } from '../../src/actors/daily-counts.queries.ts';
import { dailyCountDays, dailyCounts } from '../../src/actors/daily-counts.state.ts';
import { Session, userKey } from '../../src/actors/session/session.messages.ts';
import { SeededRandom } from '../sim/random.ts';
import { createTestServer } from '../support/actors.ts';

const server = createTestServer({ actors, keyspaces, partitions: 3 });
const { partitions } = server.read;
const begin = 20_000;
const active = (account: bigint, day: number) => server.callNow(Session.userActive.to(userKey(account), { day }));

function read(first: number, last: number) {
  const steps = activeAccounts(partitions, { first, last });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

test('each account counts once in every period', () => {
  const random = new SeededRandom(11);
  const seen = new Set<string>();
  for (let day = begin; day < begin + 40; day += 1)
    for (let account = 1n; account <= 12n; account += 1n)
      if (random.below(10) < 3) {
        active(account, day);
        active(account, day);
        seen.add(`${account} ${day}`);
      }
  const wasActive = (account: bigint, first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => seen.has(`${account} ${first + index}`)).includes(true);
  const accountsIn = (first: number, last: number) =>
    Array.from({ length: 12 }, (_, index) => BigInt(index + 1)).filter((account) => wasActive(account, first, last))
      .length;
  for (let first = begin - 2; first < begin + 41; first += 3)
    for (let last = first; last < begin + 42; last += 4) {
      const { inAll, byDay } = read(first, last);
      expect([first, last, inAll]).toEqual([first, last, accountsIn(first, last)]);
      expect(byDay).toEqual(byDay.map((_, index) => accountsIn(first + index, first + index)));
    }
});

test('days are forgotten after four years', () => {
  active(1n, begin + dailyCountDays + 100);
  active(12n, begin + dailyCountDays + 101);
  const left = partitions.flatMap((partition) => [...partition.range(dailyCounts, [])]).map(({ key }) => key[0]);
  const own = partitions.filter((partition) =>
    [...partition.range(dailyCounts, [])].some(({ key }) => key[0] > begin + dailyCountDays),
  );
  expect(own.length).toBeGreaterThan(0);
  for (const partition of own)
    for (const { key } of partition.range(dailyCounts, [])) expect(key[0]).toBeGreaterThan(begin + 99);
  expect(left.length).toBeGreaterThan(0);
});
