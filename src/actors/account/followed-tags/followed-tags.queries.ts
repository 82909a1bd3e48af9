/** Which tags an account follows. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { followedTagOf, followedTags } from './followed-tags.state.ts';

export function followsTag(reader: Reader, accountId: Id, name: string): boolean {
  return reader.get(followedTagOf, [accountId, name]) !== undefined;
}

/** All of them. */
export function followedTagNames(reader: Reader, accountId: Id): string[] {
  return Array.from(reader.range(followedTags, [accountId]), ({ value }) => value.name);
}

/** Newest first; the cursors are ids of the follows. */
export function followedTagsOf(reader: Reader, accountId: Id, bounds: PageBounds): Page<string> {
  return takePage(
    reader.range(followedTags, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => value.name,
  );
}
