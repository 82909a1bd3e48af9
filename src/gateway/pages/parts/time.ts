/** Times for readers: how long ago, with the exact time in the title. The page's script keeps the former up to date. */
import { type Html, html } from './html.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const sameYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const otherYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const longMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Both in milliseconds since 1970. */
export function timeAgo(milliseconds: number, now: number): Html {
  return html`<time class="ago" datetime="${iso(milliseconds)}" title="${exactTime(milliseconds)}">${ago(milliseconds, now)}</time>`;
}

export function fullTime(milliseconds: number): Html {
  return html`<time datetime="${iso(milliseconds)}">${exactTime(milliseconds)}</time>`;
}

/** A future time: the page's script shows it in the browser's time zone. */
export function plannedTime(milliseconds: number): Html {
  return html`<time class="planned" datetime="${iso(milliseconds)}">${exactTime(milliseconds)}</time>`;
}

/** The day, in UTC, with the exact time in the title. */
export function fullDay(milliseconds: number): Html {
  return html`<time datetime="${iso(milliseconds)}" title="${exactTime(milliseconds)}">${otherYear.format(milliseconds)}</time>`;
}

/** `November 2025`. */
export function monthOf(milliseconds: number): string {
  return longMonth.format(milliseconds);
}

export function ago(milliseconds: number, now: number): string {
  const age = now - milliseconds;
  if (age < minute) return 'now';
  if (age < hour) return `${Math.floor(age / minute)}m`;
  if (age < day) return `${Math.floor(age / hour)}h`;
  if (age < 7 * day) return `${Math.floor(age / day)}d`;
  const isThisYear = new Date(milliseconds).getUTCFullYear() === new Date(now).getUTCFullYear();
  return (isThisYear ? sameYear : otherYear).format(milliseconds);
}

function exactTime(milliseconds: number): string {
  return `${exact.format(milliseconds)} UTC`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
