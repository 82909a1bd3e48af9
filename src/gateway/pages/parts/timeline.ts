/** A list of posts, newest first, with the way to older ones. */
import type { Listing } from '../statuses.ts';
import type { Visit } from '../visit.ts';
import { type Html, html } from './html.ts';
import { entry } from './status.ts';

export interface TimelineOptions {
  /** What the list is, for those who hear the page. */
  readonly label: string;
  /** Shown where there is nothing. */
  readonly empty: Html;
  /** Parameters that the page of older posts keeps: `replies=1&`. */
  readonly kept?: string;
  /** Where new posts arrive from, while the page is open. */
  readonly live?: string | undefined;
}

export function timeline(visit: Visit, { views, older }: Listing, options: TimelineOptions): Html {
  const { label, empty, kept = '', live } = options;
  return html`<ol class="timeline" aria-label="${label}"${live !== undefined && html` data-live="${live}"`}>${views.map(
    (view) => entry(visit, view),
  )}</ol>
${views.length === 0 && older === undefined && html`<div class="empty">${empty}</div>`}
${older !== undefined && html`<nav class="paging"><a rel="next" href="?${kept}max_id=${older}">Older posts</a></nav>`}`;
}
