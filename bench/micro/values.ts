/** Ids, keys, records, rendered text: what every turn and every request does many times. */
import { Status } from '../../src/actors/account/statuses/statuses.records.ts';
import { statusesOfAccount } from '../../src/actors/account/statuses/statuses.state.ts';
import { mergeIds } from '../../src/actors/merge.ts';
import { renderStatusText } from '../../src/actors/text/render.ts';
import { Router } from '../../src/gateway/http/router.ts';
import { record } from '../../src/runtime/codec.ts';
import { composeId, IdGenerator, slotOfKey } from '../../src/runtime/ids.ts';
import { plainStatus, statusText } from '../seed/people.ts';
import { keep, type MicroBench } from './micro-bench.ts';

const authorId = composeId(1_700_000_000_000, 7, 0);

function statusRecord() {
  const { text, content, visibility, sensitive, spoilerText, language, tags } = plainStatus(statusText(1));
  return {
    id: composeId(1_700_000_000_001, 7, 1),
    accountId: authorId,
    createdAt: 1_700_000_000_001,
    visibility,
    sensitive,
    spoilerText,
    text,
    content,
    language,
    mentions: [],
    tags,
    emojis: [],
    attachments: [],
  } satisfies Status;
}

export const valueBenches: readonly MicroBench[] = [
  {
    name: 'next id of a slot',
    operations: 1_000,
    prepare() {
      const generator = new IdGenerator(7, 0);
      let now = 1_700_000_000_000;
      return {
        run() {
          now += 1;
          for (let count = 0; count < 1_000; count += 1) keep(generator.next(now + (count >> 5)));
        },
      };
    },
  },
  {
    name: 'slot of a name',
    operations: 100,
    prepare: () => ({
      run() {
        for (let count = 0; count < 100; count += 1) keep(slotOfKey(`acct:person${count}`));
      },
    }),
  },
  {
    name: 'encode and decode a key of two ids',
    operations: 100,
    prepare: () => ({
      run() {
        for (let count = 0; count < 100; count += 1)
          keep(statusesOfAccount.decode(statusesOfAccount.encode([authorId, authorId + BigInt(count)])));
      },
    }),
  },
  {
    name: 'encode a status record',
    operations: 100,
    prepare() {
      const codec = record(Status);
      const status = statusRecord();
      return {
        run() {
          for (let count = 0; count < 100; count += 1) keep(codec.encode(status));
        },
      };
    },
  },
  {
    name: 'decode a status record',
    operations: 100,
    prepare() {
      const codec = record(Status);
      const bytes = Buffer.from(codec.encode(statusRecord()));
      return {
        run() {
          for (let count = 0; count < 100; count += 1) keep(codec.decode(bytes));
        },
      };
    },
  },
  {
    name: 'render a status text to HTML',
    operations: 10,
    prepare: () => ({
      run() {
        for (let count = 0; count < 10; count += 1)
          keep(renderStatusText(statusText(count, '@alice '), { mentions: new Map() }));
      },
    }),
  },
  {
    name: 'merge the newest 400 of 200 sources',
    operations: 1,
    prepare() {
      const sources = Array.from({ length: 200 }, (_, source) =>
        Array.from({ length: 40 }, (_entry, index) => composeId(2_000 - index, source, 0)),
      );
      return {
        run() {
          let left = 400;
          for (const id of mergeIds(sources, 'newest first')) {
            keep(id);
            left -= 1;
            if (left === 0) break;
          }
        },
      };
    },
  },
  {
    name: 'route a path among 200',
    operations: 100,
    prepare() {
      const router = new Router<number>();
      for (let index = 0; index < 100; index += 1) {
        router.add('GET', `/api/v1/things${index}`, index);
        router.add('GET', `/api/v1/things${index}/:id`, index);
      }
      return {
        run() {
          for (let count = 0; count < 100; count += 1)
            keep(router.find('GET', `/api/v1/things${count}/${count}123456789`));
        },
      };
    },
  },
];
