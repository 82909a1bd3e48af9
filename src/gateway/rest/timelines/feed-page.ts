/** Shared by the home timeline and those of lists: a page of a feed as its reader is shown it. */
import type { Page } from '../../../actors/pages.ts';
import type { HomePage } from '../../../services/feeds.ts';
import type { EncodableStatus } from '../../entities/encoded-status.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { UserContext } from '../../http/context.ts';

/** A promise where many statuses have to be read. */
export function feedPage(
  { services, grant, request }: UserContext<GatewayServices>,
  { ids }: Pick<HomePage, 'ids'>,
  limit: number,
): Page<EncodableStatus> | Promise<Page<EncodableStatus>> {
  const page = { newest: ids[0], oldest: ids.at(-1), full: ids.length === limit };
  const { presenter, slices } = services;
  const items =
    presenter.cachedPage(ids, grant.accountId, 'home') ??
    slices.run(presenter.pageInSlices(ids, grant.accountId, 'home'), request);
  return items instanceof Promise ? items.then((shown) => ({ ...page, items: shown })) : { ...page, items };
}
