/**
 * Times for readers: how long ago, with the exact time in the title; or the exact time. The page's script keeps the former up
 * to date, and shows the latter as the clocks of its browser do.
 */
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';

type Reader = Pick<Visit, 'words' | 'now'>;

/** In milliseconds since 1970, like all times here. */
export function timeAgo({ words: { formats }, now }: Reader, milliseconds: number): Html {
  return html`<time class="ago" datetime="${iso(milliseconds)}" title="${formats.exactTime(milliseconds)}">${formats.age(milliseconds, now)}</time>`;
}

export function fullTime({ words: { formats } }: Reader, milliseconds: number): Html {
  return html`<time class="exact" datetime="${iso(milliseconds)}">${formats.exactTime(milliseconds)}</time>`;
}

/** The day, in UTC, with the exact time in the title. */
export function fullDay({ words: { formats } }: Reader, milliseconds: number): Html {
  return html`<time datetime="${iso(milliseconds)}" title="${formats.exactTime(milliseconds)}">${formats.shortDay(milliseconds)}</time>`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
