/** What a profile shows to one visitor only: who of those whom they follow knows the account, and their own note on it. */
import { noteCharactersMax } from '../../../actors/account/notes/notes.records.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { familiarFollowers, followedLately } from '../../../actors/account/relationships/familiar-followers.queries.ts';
import { shownAccounts } from '../../../actors/account/relationships/relationships.queries.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { webLimits } from '../limits.ts';
import { type MemberVisit, memberOf, type Visit } from '../visit.ts';
import { avatar, name } from './account.ts';
import { icon } from './icons.ts';
import { accountPath } from './links.ts';
import { relationTo } from './relations.ts';

export function acquaintance(visit: Visit, profile: Profile): Html | undefined {
  const member = memberOf(visit);
  if (member === undefined || member.account.id === profile.id) return undefined;
  return html`${familiarOnes(member, profile)}${privateNote(member, profile)}`;
}

function familiarOnes(visit: MemberVisit, profile: Profile): Html | undefined {
  const { services, account, viewer, words } = visit;
  const { snapshots } = services;
  const ids = familiarFollowers(snapshots, account.id, profile.id, followedLately(snapshots, account.id)) ?? [];
  const choose = shownAccounts(snapshots, viewer);
  const shown = ids.flatMap((id) => choose(id) ?? []);
  if (shown.length === 0) return undefined;
  const named = shown.slice(0, webLimits.namedPeopleMax);
  const names = named.map((one) => html`<a href="${accountPath(visit, one.profile)}">${name(visit, one.profile)}</a>`);
  const others = shown.length - named.length;
  if (others > 0) names.push(html`${words.people.profile.othersYouFollow({ count: others })}`);
  const faces = named.map((one) => avatar(visit, one.profile, 24));
  return html`<p class="familiar"><span class="faces">${faces}</span><span>${words.people.profile.followedBy({ names: words.formats.list(names) })}</span></p>`;
}

/** Its field belongs to the form of all buttons, so that it is sent from a piece of the page that a script has put there. */
function privateNote(visit: MemberVisit, profile: Profile): Html {
  const words = visit.words.people.note;
  const { note } = relationTo(visit, profile.id);
  return html`${note !== '' && html`<div class="notice own-note"><p class="fine">${words.title}</p><p dir="auto">${note}</p></div>`}
<details class="note"><summary>${icon('edit')} ${note === '' ? words.add : words.change}</summary>
<label><span class="unseen">${words.title}</span><textarea form="acts" name="note" rows="3" dir="auto" maxlength="${noteCharactersMax}" aria-describedby="note-hint">${note}</textarea></label>
<p class="fine" id="note-hint">${words.hint}</p>
<button class="quiet" form="acts" formaction="/web/accounts/${profile.id}/note" data-changes>${words.save}</button></details>`;
}
