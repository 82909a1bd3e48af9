/** How the visitor wants to read: what is covered at first (media, posts with a content warning), and whether GIFs play. */
import { readingOf } from '../../../actors/account/profile/logins.queries.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { MemberVisit, Visit } from '../visit.ts';

function readingHere({ account }: Visit) {
  return readingOf(account?.login ?? {});
}

/** Whether they see posts otherwise than most. */
export function readsOtherwise({ account }: MemberVisit): boolean {
  const { expandMedia, expandSpoilers, autoplayGifs } = readingOf(account.login);
  return expandMedia !== 'default' || expandSpoilers || !autoplayGifs;
}

/** Whether what replaces a GIF plays by itself. */
export function playsGifs(visit: Visit): boolean {
  return readingHere(visit).autoplayGifs;
}

interface Covering {
  readonly sensitive: boolean;
  /** A filter of the visitor covers media of this post, whatever they are. */
  readonly isBlurred?: boolean;
  /** The whole post is covered already. */
  readonly isInside: boolean;
}

/** Media of a post, covered where the visitor does not want to see them at once. */
export function mediaCovered(visit: Visit, media: Html | undefined, covering: Covering): Html | undefined {
  if (media === undefined) return undefined;
  const { sensitive, isBlurred = false, isInside } = covering;
  const { expandMedia, expandSpoilers } = readingHere(visit);
  const { sensitive: warning, hiddenMedia } = visit.words.posts;
  if (isInside && !expandSpoilers) return media;
  if (isBlurred || (sensitive && expandMedia !== 'show_all')) return covered(visit, html`${warning}`, media);
  return expandMedia === 'hide_all' ? covered(visit, html`${hiddenMedia}`, media) : media;
}

/** What a content warning of its author covers. */
export function warned(visit: Visit, warning: Html, content: Html): Html {
  return covered(visit, warning, content, readingHere(visit).expandSpoilers);
}

/** The style says which of the two words is shown. */
export function covered({ words: { posts } }: Visit, warning: Html, content: Html, isOpen = false): Html {
  return html`<details class="covered"${isOpen && html` open`}><summary data-show="${posts.show}" data-hide="${posts.hide}"><span class="warning" dir="auto">${warning}</span></summary>${content}</details>`;
}
