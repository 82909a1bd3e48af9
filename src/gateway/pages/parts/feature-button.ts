/** Features a hashtag on the profile of the visitor, or stops featuring it, from the page of the hashtag. */
import { featuredTagsOf } from '../../../actors/account/featured-tags/featured-tags.queries.ts';
import { featuredTagLimits } from '../../../actors/account/featured-tags/limits.ts';
import type { Html } from '../../../services/words/html.ts';
import type { MemberVisit } from '../visit.ts';
import { menu, menuButton } from './menu.ts';

export function featureButton(visit: MemberVisit, name: string, display: string): Html | undefined {
  const { services, account, words } = visit;
  const { posts } = words;
  const tags = featuredTagsOf(services.snapshots, account.id);
  const present = tags.find((one) => one.name === name);
  if (present === undefined && tags.length >= featuredTagLimits.perLocalAccountMax) return undefined;
  const path = `/web/tags/${encodeURIComponent(display)}`;
  const item =
    present === undefined
      ? menuButton(`${path}/feature`, posts.tag.feature)
      : menuButton(`${path}/unfeature`, posts.tag.unfeature);
  return menu(visit, posts.tag.more({ hashtag: `#${display}` }), item);
}
