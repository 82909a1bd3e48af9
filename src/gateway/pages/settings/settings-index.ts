/** The other pages of settings, by what they are about, at the head of the page. */
import { type Html, html } from '../../../services/words/html.ts';
import type { MemberVisit } from '../visit.ts';

/** What depends on the account: staff let it invite others, or have decided something about it. */
interface Offered {
  readonly mayInvite: boolean;
  readonly isWarned: boolean;
}

type Link = readonly [path: string, words: string];

export function settingsIndex(visit: MemberVisit, { mayInvite, isWarned }: Offered): Html {
  const { settings, security, app, people, posts, lists, cleanup, invites, imports, leaving, notifications } =
    visit.words;
  const groups: readonly (readonly [title: string, links: readonly Link[]])[] = [
    [
      settings.index.account,
      [
        ['/settings/security', security.title],
        ['/settings/sessions', settings.signedIn.title],
        ['/settings/push', app.push.title],
        ['/settings/mails', settings.mails.title],
        ...(isWarned ? ([['/disputes/strikes', notifications.warnings.title]] as const) : []),
        ['/auth/sign_out', settings.browsers.signOut],
      ],
    ],
    [
      settings.index.people,
      [
        ['/follow_requests', people.lists.requests],
        ['/notifications/requests', notifications.policy.title],
        ['/suggestions', people.lists.suggestions],
        ...(mayInvite ? ([['/invites', invites.title]] as const) : []),
        ['/mutes', people.lists.mutes],
        ['/blocks', people.lists.blocks],
        ['/domain_blocks', people.servers.title],
        ['/settings/reports', people.reports.title],
      ],
    ],
    [
      settings.index.posts,
      [
        ['/filters', lists.filters.title],
        ['/followed_tags', posts.tag.followed],
        ['/settings/statuses_cleanup', cleanup.title],
        ['/settings/import', imports.title],
        ['/settings/export', leaving.archive.title],
        ['/settings/moving', settings.moving.title],
        ['/settings/delete', leaving.deletion.title],
      ],
    ],
  ];
  const shown = groups.map(
    ([title, links]) =>
      html`<div><h2>${title}</h2><ul>${links.map(([path, words]) => html`<li><a href="${path}">${words}</a></li>`)}</ul></div>`,
  );
  return html`<nav class="card index" aria-label="${settings.index.title}">${shown}</nav>`;
}
