/** Merged sources against the sorted union, and what happens to sources that are left early. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeIds, type Order } from '../../src/actors/merge.ts';

const orders: readonly Order[] = ['newest first', 'oldest first'];

function sorted(ids: Iterable<bigint>, order: Order): bigint[] {
  const ascending = [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1));
  return order === 'oldest first' ? ascending : ascending.reverse();
}

describe.each(orders)('%s', (order) => {
  test('a merge gives the union of its sources in order, each id once', () => {
    const source = fc.array(fc.bigInt({ min: 1n, max: 60n }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(source, { maxLength: 9 }), (sources) => {
        const ordered = sources.map((ids) => sorted(ids, order));
        expect([...mergeIds(ordered, order)]).toEqual(sorted(sources.flat(), order));
      }),
      { numRuns: 500 },
    );
  });

  test('ids that come more than once in one source come once', () => {
    expect([...mergeIds([[3n, 3n], [3n]], order)]).toEqual([3n]);
  });

  test('nothing is read ahead by more than one id a source', () => {
    let read = 0;
    function* counting(ids: readonly bigint[]) {
      for (const id of ids) {
        read += 1;
        yield id;
      }
    }
    const merge = mergeIds([counting(sorted([1n, 2n, 3n], order)), counting(sorted([4n, 5n, 6n], order))], order);
    merge.next();
    expect(read).toBe(3);
  });
});

describe('sources', () => {
  function tracked(ids: readonly bigint[], closed: string[], name: string, fails = false): Iterable<bigint> {
    return (function* () {
      try {
        yield* ids;
        if (fails) throw new Error(`${name} cannot be read`);
      } finally {
        closed.push(name);
      }
    })();
  }

  test('are closed when the merge is left early', () => {
    const closed: string[] = [];
    for (const id of mergeIds([tracked([5n, 3n], closed, 'one'), tracked([4n, 2n], closed, 'two')], 'newest first'))
      if (id === 5n) break;
    expect(closed.sort()).toEqual(['one', 'two']);
  });

  test.each([
    ['at its first id', []],
    ['later', [9n, 8n]],
  ])('are closed when another of them fails %s', (_when, ids) => {
    const closed: string[] = [];
    const merge = mergeIds(
      [tracked([5n, 3n], closed, 'one'), tracked(ids, closed, 'two', true), tracked([4n], closed, 'three')],
      'newest first',
    );
    expect(() => [...merge]).toThrow('two cannot be read');
    // A source that was never asked has nothing to close.
    expect(closed).toEqual(expect.arrayContaining(['one', 'two']));
  });
});
