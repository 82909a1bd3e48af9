/** Lists the domains that an account hides. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { domainBlocks } from '../relationships/blocked-domains.state.ts';

/** The cursors are ids of blocks. */
export function domainBlocksOf(reader: Reader, accountId: Id, bounds: PageBounds): Page<string> {
  return takePage(
    reader.range(domainBlocks, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => value.domain,
  );
}
