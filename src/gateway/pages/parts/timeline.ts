/** A list of posts, newest first, with a link to older ones. */
import type { Listing } from '../statuses.ts';
import type { Visit } from '../visit.ts';
import { type Html, html } from './html.ts';
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
}

export function timeline(visit: Visit, { views, older, complete }: Listing, options: TimelineOptions): Html {
  const { label, empty, kept = '', live } = options;
  return html`<ol class="timeline" aria-label="${label}"${live !== undefined && html` data-live="${live}"`}>${views.map(
    (view) => entry(visit, view),
  )}</ol>
${!complete && html`<div class="empty"><p>This timeline is being put together. Some of its posts are missing until you load the page again.</p></div>`}
${complete && views.length === 0 && older === undefined && html`<div class="empty">${empty}</div>`}
${older !== undefined && html`<nav class="paging"><a rel="next" href="?${kept}max_id=${older}">Older posts</a></nav>`}`;
}
