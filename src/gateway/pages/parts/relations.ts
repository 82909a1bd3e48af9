/** The actions about an account: follow it, answer its request, mute and block it. */
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import {
  findRelationship,
  type RelationshipView,
} from '../../../actors/account/relationships/relationship-views.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { MemberVisit } from '../visit.ts';
import { type Html, html } from './html.ts';
import { handleOf, serverPath } from './links.ts';
import { menuButton, menuQuestion } from './menu.ts';

export function relationTo({ services, account, now }: MemberVisit, accountId: Id): RelationshipView {
  return findRelationship(services.snapshots, account.id, accountId, now);
}

/** The buttons beside an account. An open page replaces them by their id. */
export function relationButtons(visit: MemberVisit, profile: Profile): Html {
  const { id } = profile;
  const buttons = id === visit.account.id ? undefined : buttonsFor(profile, relationTo(visit, id));
  return html`<span class="answer" id="answer-${id}">${buttons}</span>`;
}

function buttonsFor({ id }: Profile, relation: RelationshipView): Html | undefined {
  if (relation.blocking) return button(`/web/accounts/${id}/unblock`, 'Unblock', 'quiet');
  if (relation.requestedBy) {
    const path = `/web/follow-requests/${id}`;
    return html`${button(`${path}/authorize`, 'Accept')} ${button(`${path}/reject`, 'Reject', 'quiet')}`;
  }
  return html`${relation.mute !== undefined && button(`/web/accounts/${id}/unmute`, 'Unmute', 'quiet')} ${
    !relation.blockedBy && followButton(id, relation)
  }`;
}

function followButton(id: Id, { follow }: RelationshipView): Html {
  if (follow === undefined) return button(`/web/accounts/${id}/follow`, 'Follow');
  const words = follow.state === 'requested' ? 'Cancel request' : 'Unfollow';
  return button(`/web/accounts/${id}/unfollow`, words, 'quiet');
}

function button(path: string, words: string, look?: 'quiet'): Html {
  return html`<button form="acts" formaction="${path}" data-changes${look !== undefined && html` class="${look}"`}>${words}</button>`;
}

function hidingServer(domain: string): Html {
  return menuQuestion({
    words: html`Hide <bdi>${domain}</bdi>`,
    question: 'Nobody there will be shown to you, and you will not follow each other any more.',
    answer: 'Hide the server',
    action: `${serverPath(domain)}/hide`,
  });
}

/**
 * Without a relation, as in the menus of posts, which are the same for everybody: neither muted nor blocked.
 * `statusId`: the post to report.
 */
export function relationItems(profile: Profile, relation?: RelationshipView, statusId?: Id): Html {
  const { id } = profile;
  const handle = html`<bdi>@${handleOf(profile)}</bdi>`;
  const muting =
    relation?.mute === undefined
      ? menuButton(`/web/accounts/${id}/mute`, html`Mute ${handle}`)
      : menuButton(`/web/accounts/${id}/unmute`, html`Unmute ${handle}`);
  const blocking = relation?.blocking
    ? menuButton(`/web/accounts/${id}/unblock`, html`Unblock ${handle}`)
    : menuQuestion({
        words: html`Block ${handle}`,
        question: 'You will not see each other’s posts, and not follow each other any more.',
        answer: 'Block',
        action: `/web/accounts/${id}/block`,
      });
  return html`${relation?.follow?.state === 'accepted' && html`<a class="item" href="/web/accounts/${id}/lists">Lists with ${handle}</a>`}
${muting}
${
  relation?.followedBy &&
  menuQuestion({
    words: 'Remove this follower',
    question: 'Your posts for followers are not shown to them any more. They may follow you again.',
    answer: 'Remove',
    action: `/web/accounts/${id}/remove-follower`,
  })
}
${blocking}
${profile.domain !== undefined && hidingServer(profile.domain)}
<a class="item" href="/web/accounts/${id}/report${statusId !== undefined && html`?status=${statusId}`}">Report ${handle}</a>`;
}
