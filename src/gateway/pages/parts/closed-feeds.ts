/** What is said where staff have closed public timelines to a visitor. */
import { type FeedKind, type FeedPart, feedParts } from '../../../actors/policy/feed-access.ts';
import type { Origin } from '../../../actors/timelines.queries.ts';
import { feedReaches } from '../../../operations/timelines/feed-access.ts';
import { currentFeedRules } from '../../../services/feed-access.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { readableIn } from '../statuses.ts';
import type { Visit } from '../visit.ts';
import { signInPath } from './links.ts';
import { linkTo } from './slots.ts';

/** Above a timeline of which the visitor may read a part: what it leaves out. */
export function closedPart(visit: Visit, kind: FeedKind, asked: Origin): Html | undefined {
  const shown = readableIn(visit, kind, asked);
  if (shown === asked || shown === undefined) return undefined;
  const part = shown === 'local' ? 'remote' : 'local';
  const words = visit.words.site.closed;
  const isForMembers = mayReadSignedIn(visit, kind, [part]);
  const link = linkTo(signInPath(visit));
  return html`<div class="notice"><p>${isForMembers ? words.partForMembers[part]({ link }) : words.part[part]}</p></div>`;
}

/** In an empty timeline: that it is closed, or else that there is nothing. */
export function emptyFeed(visit: Visit, kind: FeedKind, asked: Origin, nothing: string): Html {
  if (readableIn(visit, kind, asked) !== undefined) return html`<p>${nothing}</p>`;
  const words = visit.words.site.closed;
  const parts = feedParts.filter((part) => asked === 'all' || asked === part);
  if (!mayReadSignedIn(visit, kind, parts)) return html`<p>${words.whole}</p>`;
  return html`<p>${words.wholeForMembers({ link: linkTo(signInPath(visit)) })}</p>`;
}

/** Whether signing in would show some of it. */
function mayReadSignedIn({ services, account }: Visit, kind: FeedKind, parts: readonly FeedPart[]): boolean {
  const rules = currentFeedRules(services)[kind];
  return account === undefined && parts.some((part) => rules[part] === 'authenticated');
}

/** Whether the visitor may read anything of the public timelines. */
export function mayReadLive({ services, account }: Visit): boolean {
  const { live } = feedReaches(services, account?.id);
  return live.local || live.remote;
}
