/** What one can choose about an account that one follows: to be told of its posts, its boosts, showing it to others. */
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import type { RelationshipView } from '../../../actors/account/relationship-views.queries.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Words } from '../../../services/words/languages.ts';
import { icon } from './icons.ts';
import { handleOf } from './links.ts';
import { menuButton } from './menu.ts';

/** Beside the button that follows. */
export function bell({ people }: Words, { id }: Profile, { follow }: RelationshipView): Html | undefined {
  if (follow?.state !== 'accepted') return undefined;
  const path = `/web/accounts/${id}/${follow.notify ? 'stop-notifying' : 'notify'}`;
  return html`<button class="act bell" form="acts" formaction="${path}" data-changes aria-pressed="${String(follow.notify)}" title="${people.notify}">${icon('bell')}<span class="unseen">${people.notify}</span></button>`;
}

/** In the menu of its profile. */
export function followChoices({ people }: Words, profile: Profile, relation: RelationshipView): Html | undefined {
  const { follow, endorsed } = relation;
  if (follow?.state !== 'accepted') return undefined;
  const path = `/web/accounts/${profile.id}`;
  const account = html`<bdi>@${handleOf(profile)}</bdi>`;
  return html`${
    follow.showReblogs
      ? menuButton(`${path}/hide-boosts`, people.hideBoosts({ account }))
      : menuButton(`${path}/show-boosts`, people.showBoosts({ account }))
  }
${endorsed ? menuButton(`${path}/unfeature`, people.unfeature) : menuButton(`${path}/feature`, people.feature)}
<a class="item" href="${path}/languages">${people.languagesOf({ account })} …</a>
<a class="item" href="${path}/lists">${people.listsWith({ account })}</a>`;
}
