/** Times for readers: how long ago, with the exact time in the title. The page's script keeps the former up to date. */
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';

type Reader = Pick<Visit, 'words' | 'now'>;

/** In milliseconds since 1970, like all times here. */
export function timeAgo({ words: { formats }, now }: Reader, milliseconds: number): Html {
  return html`<time class="ago" datetime="${iso(milliseconds)}" title="${formats.exactTime(milliseconds)}">${formats.age(milliseconds, now)}</time>`;
}

export function fullTime({ words: { formats } }: Reader, milliseconds: number): Html {
  return html`<time datetime="${iso(milliseconds)}">${formats.exactTime(milliseconds)}</time>`;
}

/** A future time: the page's script shows it in the browser's time zone. */
export function plannedTime({ words: { formats } }: Reader, milliseconds: number): Html {
  return html`<time class="planned" datetime="${iso(milliseconds)}">${formats.exactTime(milliseconds)}</time>`;
}

/** The day, in UTC, with the exact time in the title. */
export function fullDay({ words: { formats } }: Reader, milliseconds: number): Html {
  return html`<time datetime="${iso(milliseconds)}" title="${formats.exactTime(milliseconds)}">${formats.shortDay(milliseconds)}</time>`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
