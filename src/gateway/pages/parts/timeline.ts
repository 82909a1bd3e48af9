/** A list of posts, newest first, with a link to older ones. */

import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Listing } from '../statuses.ts';
import type { Visit } from '../visit.ts';
import { entry } from './status.ts';

export interface TimelineOptions {
  /** The name of the list for screen readers. */
  readonly label: string;
  /** Shown when the list is empty. */
  readonly empty: Html;
  /** Parameters kept in the link to older posts: `replies=1&`. */
  readonly kept?: string;
  /** The source of new posts while the page is open. */
  readonly live?: string | undefined;
  /** Before which the list says something. */
  readonly mark?: { readonly before: Id; readonly words: Html } | undefined;
}

/** What the script of an open page says about new entries of a list. */
export function arrivalWords({ words: { posts } }: Visit, entries: 'posts' | 'notifications' | 'messages'): Html {
  const { arrivals } = posts;
  const many = { posts: 'manyPosts', notifications: 'manyNotifications', messages: 'manyMessages' } as const;
  return html` data-entries="${entries}" data-arrivals="${arrivals[entries].source}" data-many="${arrivals[many[entries]]}"`;
}

export function timeline(visit: Visit, { views, older, newer, complete }: Listing, options: TimelineOptions): Html {
  const words = visit.words.site.timeline;
  const { label, empty, kept = '', live, mark } = options;
  const marked = mark && views.find(({ status }) => status.id <= mark.before);
  return html`${newer !== undefined && html`<nav class="paging"><a rel="prev" href="?${kept}min_id=${newer}">${words.newer}</a></nav>`}
<ol class="timeline" aria-label="${label}"${live !== undefined && html`${arrivalWords(visit, 'posts')} data-live="${live}"`}>${views.map(
    (view) => html`${view === marked && html`<li class="here" id="here">${mark?.words}</li>`}${entry(visit, view)}`,
  )}</ol>
${!complete && html`<div class="empty"><p>${words.incomplete}</p></div>`}
${complete && views.length === 0 && older === undefined && html`<div class="empty">${empty}</div>`}
${older !== undefined && html`<nav class="paging"><a rel="next" href="?${kept}max_id=${older}">${words.older}</a></nav>`}`;
}
