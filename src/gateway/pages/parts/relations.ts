/** The actions about an account: follow it, answer its request, mute and block it. */
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { findRelationship, type RelationshipView } from '../../../actors/account/relationship-views.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Words } from '../../../services/words/languages.ts';
import type { MemberVisit, Visit } from '../visit.ts';
import { followChoices } from './follow-choices.ts';
import { elsewhere, handleOf, hidingPath } from './links.ts';
import { menuButton, menuQuestion } from './menu.ts';

export function relationTo({ services, account, now }: MemberVisit, accountId: Id): RelationshipView {
  return findRelationship(services.snapshots, account.id, accountId, now);
}

/** The buttons beside an account. An open page replaces them by their id. */
export function relationButtons(visit: MemberVisit, profile: Profile): Html {
  const { id } = profile;
  const buttons = id === visit.account.id ? undefined : buttonsFor(visit.words, profile, relationTo(visit, id));
  return html`<span class="answer" id="answer-${id}">${buttons}</span>`;
}

function buttonsFor(words: Words, { id }: Profile, relation: RelationshipView): Html | undefined {
  const { people } = words;
  if (relation.blocking) return button(`/web/accounts/${id}/unblock`, people.unblock, 'quiet');
  if (relation.requestedBy) {
    const path = `/web/follow-requests/${id}`;
    return html`${button(`${path}/authorize`, people.accept)} ${button(`${path}/reject`, people.reject, 'quiet')}`;
  }
  return html`${relation.mute !== undefined && button(`/web/accounts/${id}/unmute`, people.unmute, 'quiet')} ${
    !relation.blockedBy && followButton(words, id, relation)
  }`;
}

function followButton({ people }: Words, id: Id, { follow }: RelationshipView): Html {
  if (follow === undefined) return button(`/web/accounts/${id}/follow`, people.follow);
  const label = follow.state === 'requested' ? people.cancelRequest : people.unfollow;
  return button(`/web/accounts/${id}/unfollow`, label, 'quiet');
}

function button(path: string, words: string, look?: 'quiet'): Html {
  return html`<button form="acts" formaction="${path}" data-changes${look !== undefined && html` class="${look}"`}>${words}</button>`;
}

/** Leads to what it would end. */
function hidingServer({ people }: Words, domain: string): Html {
  const server = html`<bdi>${domain}</bdi>`;
  return html`<a class="item" href="${hidingPath}?domain=${encodeURIComponent(domain)}">${people.hideServer({ server })} …</a>`;
}

/**
 * Without a relation, as in the menus of posts, which are the same for everybody: neither muted nor blocked.
 * `statusId`: the post to report.
 */
export function relationItems(
  { words }: Pick<Visit, 'words'>,
  profile: Profile,
  relation?: RelationshipView,
  statusId?: Id,
): Html {
  const { id } = profile;
  const { people } = words;
  const account = html`<bdi>@${handleOf(profile)}</bdi>`;
  const muting =
    relation?.mute === undefined
      ? html`<a class="item" href="/web/accounts/${id}/mute">${people.mute({ account })} …</a>`
      : menuButton(`/web/accounts/${id}/unmute`, people.unmuteThem({ account }));
  const blocking = relation?.blocking
    ? menuButton(`/web/accounts/${id}/unblock`, people.unblockThem({ account }))
    : menuQuestion({
        words: people.block({ account }),
        question: people.blockHint,
        answer: people.blockConfirm,
        action: `/web/accounts/${id}/block`,
      });
  return html`${relation !== undefined && html`${original(words, profile)}${followChoices(words, profile, relation)}`}
${muting}
${
  relation?.followedBy &&
  menuQuestion({
    words: people.removeFollower,
    question: people.removeFollowerHint,
    answer: people.removeFollowerConfirm,
    action: `/web/accounts/${id}/remove-follower`,
  })
}
${blocking}
${profile.domain !== undefined && hidingServer(words, profile.domain)}
<a class="item" href="/web/accounts/${id}/report${statusId !== undefined && html`?status=${statusId}`}">${people.report({ account })}</a>`;
}

/** Where the account is at home. */
function original({ people }: Words, { domain, remote }: Profile): Html | undefined {
  const address = elsewhere(remote?.url);
  if (address === undefined || domain === undefined) return undefined;
  return html`<a class="item" href="${address}" target="_blank" rel="noopener">${people.openOriginal({ server: html`<bdi>${domain}</bdi>` })}</a>`;
}
