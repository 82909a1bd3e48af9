/** The other pages of settings, by what they are about, at the head of the page. */
import { type Html, html } from '../../../services/words/html.ts';
import { type IconName, icon } from '../parts/icons.ts';
import type { MemberVisit } from '../visit.ts';

/** What depends on the account: staff let it invite others, or have decided something about it. */
interface Offered {
  readonly mayInvite: boolean;
  readonly isWarned: boolean;
}

type Link = readonly [path: string, drawing: IconName, words: string];

export function settingsIndex(visit: MemberVisit, { mayInvite, isWarned }: Offered): Html {
  const { settings, security, app, people, posts, lists, cleanup, invites, imports, leaving, notifications } =
    visit.words;
  const groups: readonly (readonly [title: string, links: readonly Link[]])[] = [
    [
      settings.index.account,
      [
        ['/settings/security', 'private', security.title],
        ['/settings/sessions', 'clock', settings.signedIn.title],
        ['/settings/push', 'bell', app.push.title],
        ['/settings/mails', 'direct', settings.mails.title],
        ...(isWarned ? ([['/disputes/strikes', 'about', notifications.warnings.title]] as const) : []),
        ['/auth/sign_out', 'later', settings.browsers.signOut],
      ],
    ],
    [
      settings.index.people,
      [
        ['/follow_requests', 'person', people.lists.requests],
        ['/notifications/requests', 'settings', notifications.policy.title],
        ['/suggestions', 'explore', people.lists.suggestions],
        ...(mayInvite ? ([['/invites', 'people', invites.title]] as const) : []),
        ['/mutes', 'unlisted', people.lists.mutes],
        ['/blocks', 'close', people.lists.blocks],
        ['/domain_blocks', 'public', people.servers.title],
        ['/settings/reports', 'about', people.reports.title],
      ],
    ],
    [
      settings.index.posts,
      [
        ['/settings/preferences', 'edit', settings.preferences.title],
        ['/filters', 'list', lists.filters.title],
        ['/followed_tags', 'pin', posts.tag.followed],
        ['/settings/statuses_cleanup', 'clock', cleanup.title],
        ['/settings/import', 'later', imports.title],
        ['/settings/export', 'earlier', leaving.archive.title],
        ['/settings/moving', 'home', settings.moving.title],
        ['/settings/delete', 'remove', leaving.deletion.title],
      ],
    ],
  ];
  const shown = groups.map(
    ([title, links]) =>
      html`<div><h2>${title}</h2><ul>${links.map(([path, drawing, words]) => html`<li><a href="${path}">${icon(drawing)}<span>${words}</span></a></li>`)}</ul></div>`,
  );
  return html`<nav class="card index" aria-label="${settings.index.title}">${shown}</nav>`;
}
