/** Merges ordered sources of ids into one ordered stream, newest (or oldest) first, without duplicates. */
import type { Id } from '../runtime/ids.ts';

export type Order = 'newest first' | 'oldest first';

interface Head {
  id: Id;
  readonly source: Iterator<Id>;
}

/** Each source must be in `order`. Sources are closed when the merge ends early or one of them fails. */
export function* mergeIds(sources: Iterable<Iterable<Id>>, order: Order): Generator<Id> {
  const precedes =
    order === 'newest first'
      ? (one: Head, other: Head) => one.id > other.id
      : (one: Head, other: Head) => one.id < other.id;
  const heap: Head[] = [];
  let last: Id | undefined;
  try {
    for (const iterable of sources) {
      const source = iterable[Symbol.iterator]();
      const first = source.next();
      if (!first.done) push(heap, { id: first.value, source }, precedes);
    }
    while (heap.length > 0) {
      const head = heap[0]!;
      const id = head.id;
      const next = head.source.next();
      if (next.done) removeFirst(heap, precedes);
      else {
        head.id = next.value;
        sink(heap, 0, precedes);
      }
      if (id !== last) yield id;
      last = id;
    }
  } finally {
    for (const head of heap) head.source.return?.();
  }
}

type Precedes = (one: Head, other: Head) => boolean;

function push(heap: Head[], head: Head, precedes: Precedes): void {
  heap.push(head);
  let index = heap.length - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!precedes(heap[index]!, heap[parent]!)) return;
    swap(heap, index, parent);
    index = parent;
  }
}

function removeFirst(heap: Head[], precedes: Precedes): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  heap[0] = last;
  sink(heap, 0, precedes);
}

function sink(heap: Head[], start: number, precedes: Precedes): void {
  let index = start;
  for (;;) {
    const left = 2 * index + 1;
    const right = left + 1;
    let first = index;
    if (left < heap.length && precedes(heap[left]!, heap[first]!)) first = left;
    if (right < heap.length && precedes(heap[right]!, heap[first]!)) first = right;
    if (first === index) return;
    swap(heap, index, first);
    index = first;
  }
}

function swap(heap: Head[], one: number, other: number): void {
  const held = heap[one]!;
  heap[one] = heap[other]!;
  heap[other] = held;
}
