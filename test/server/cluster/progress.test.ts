/** A node that has much to read tells how far it is. */
import { expect, test } from 'vitest';
import { tellProgress } from '../../../src/server/cluster/progress.ts';
import { until } from '../../support/until.ts';

test('it tells of the log that is read, until that is done', async () => {
  const logs = [{ unread: 0 }, { unread: 400 }];
  const told: string[] = [];
  const end = tellProgress(logs, (sentence) => told.push(sentence), 1);
  await until(() => told.includes(`[${' '.repeat(30)}]   0 %  Partition 2 of 2 follows its log: 400 records to read.`));
  logs[1]!.unread = 100;
  await until(() =>
    told.includes(`[${'#'.repeat(22)}${' '.repeat(8)}]  75 %  Partition 2 of 2 follows its log: 100 records to read.`),
  );
  end();
  expect(told.filter((sentence) => sentence.includes('Partition 1 of'))).toEqual([]);
});
