/** Timelines, merged at one go. */
import { homeStatusIds } from '../../src/actors/account/home/home.queries.ts';
import type { PageBounds } from '../../src/actors/pages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';

export function mergedHome(reader: Reader, viewerId: Id, bounds: PageBounds): Id[] {
  return atOnce(homeStatusIds(reader, viewerId, bounds));
}

export function atOnce(steps: Generator<undefined, Id[]>): Id[] {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
