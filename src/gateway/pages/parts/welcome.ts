/** What is shown at home to whom nothing is shown yet: people to follow, and hashtags that many use. */
import { listedAccounts } from '../../../actors/account/profile/directory.queries.ts';
import { suggestedAccounts } from '../../../actors/account/suggestions/suggestions.queries.ts';
import type { OperationContext } from '../../../operations/operation.ts';
import { findTrendingTags } from '../../../operations/trends/trending-tags.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { webLimits } from '../limits.ts';
import type { MemberVisit } from '../visit.ts';
import { people } from './people.ts';
import { linkTo } from './slots.ts';

/** For a newcomer nobody can be suggested by what he did. */
const activeAnywhere = { order: 'active', localOnly: false, offset: 0 } as const;

export async function welcome(visit: MemberVisit, context: OperationContext): Promise<Html> {
  const { services, account, viewer, now, words } = visit;
  const { snapshots } = services;
  const { quiet, quietHint, welcomePeople, welcomeTags } = words.site.timeline;
  const suggested = suggestedAccounts(snapshots, account.id, viewer, now, webLimits.proposedPeople);
  const listed = listedAccounts(snapshots, viewer, { ...activeAnywhere, limit: webLimits.proposedPeople + 1 });
  const known = new Set([account.id, ...suggested.map(({ profile }) => profile.id)]);
  const others = listed.filter(({ profile }) => !known.has(profile.id));
  const proposed = [...suggested, ...others].slice(0, webLimits.proposedPeople);
  const tags = await findTrendingTags(context, { offset: 0, limit: webLimits.welcomeTags });
  const links = tags.map(
    ({ name }) => html`<li class="entry"><a href="/tags/${encodeURIComponent(name)}"><bdi>#${name}</bdi></a></li>`,
  );
  return html`<h2>${quiet}</h2>
<p>${quietHint({ local: linkTo('/public/local') })}</p>
${proposed.length > 0 && html`<h3>${welcomePeople}</h3>${people(visit, proposed, welcomePeople)}`}
${tags.length > 0 && html`<h3>${welcomeTags}</h3><ul class="timeline tags">${links}</ul>`}`;
}
