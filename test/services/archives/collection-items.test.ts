/** Items of a collection are found wherever the pieces of the file end. */
import { expect, test } from 'vitest';
import { itemsOfCollection } from '../../../src/services/archives/collection-items.ts';

async function* pieces(text: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function itemsOf(text: string, length: number, bytesMax = 1_000) {
  const found: unknown[] = [];
  for await (const { text: item, offset, bytes } of itemsOfCollection(pieces(text, length), bytesMax)) {
    if (item !== undefined) expect(Buffer.from(text).subarray(offset, offset + bytes)).toEqual(item);
    found.push(item === undefined ? bytes : JSON.parse(item.toString()));
  }
  return found;
}

const items = [
  { id: 'a', object: { orderedItems: [1, [2], { '"}]': '\\"[{' }] } },
  'https://here.example/1',
  'with, a "comma" and \\',
  { text: 'ä€😀' },
  17,
  null,
  [[]],
  {},
];
const collections = {
  whole: { '@context': ['x', { orderedItems: ['no'] }], id: 'orderedItems', orderedItems: items, totalItems: 8 },
  'with the items first': { orderedItems: items, id: 'outbox.json' },
  'without any': { type: 'OrderedCollection', orderedItems: [] },
};

test.each(Object.entries(collections))('%s', async (_what, collection) => {
  for (const text of [JSON.stringify(collection), JSON.stringify(collection, undefined, 2)])
    for (const length of [1, 2, 3, 7, 64, 100_000])
      expect(await itemsOf(text, length)).toEqual(collection.orderedItems);
});

test('what is too large is not held', async () => {
  const text = JSON.stringify({ orderedItems: [{ a: 'x'.repeat(500) }, 1, { b: 2 }] });
  expect(await itemsOf(text, 16, 100)).toEqual([508, 1, { b: 2 }]);
});

test('what ends too early is broken, and what has no items is none', async () => {
  const text = JSON.stringify(collections.whole);
  for (const end of [1, 30, 200, text.length - 1])
    await expect(itemsOf(text.slice(0, end), 10)).rejects.toMatchObject({ reason: 'archiveBroken' });
  await expect(itemsOf('}', 10)).rejects.toMatchObject({ reason: 'archiveBroken' });
  for (const other of ['', '[]', '{"items":[1]}', '"orderedItems"', '{"a":{"orderedItems":[1]}}'])
    await expect(itemsOf(other, 10)).rejects.toMatchObject({ reason: 'archiveWithoutPosts' });
});
