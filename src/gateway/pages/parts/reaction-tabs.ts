/** What others have done with a post, as links to the lists of who: on its page, and as tabs of these lists. */
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { pathOfStatus } from './links.ts';
import { tabs } from './tabs.ts';

const reactions = ['favourites', 'reblogs', 'quotes'] as const;
type Reaction = (typeof reactions)[number];

/** Members are shown the list of quotes. */
function offeredTo({ account }: Visit): readonly Reaction[] {
  return account === undefined ? reactions.filter((one) => one !== 'quotes') : reactions;
}

export function reactionTabs(visit: Visit, { status, author }: PresentedStatus, current: Reaction): Html {
  const path = pathOfStatus(author.profile, status.id);
  const words = visit.words.posts.reactions;
  const all = offeredTo(visit).map((one) => ({
    words: words[one],
    path: `${path}/${one}`,
    isCurrent: one === current,
  }));
  return tabs(words.title, all);
}

/** Those that there are. */
export function reactionCounts(visit: Visit, { status, author, counters }: PresentedStatus): Html {
  const path = pathOfStatus(author.profile, status.id);
  const { thread } = visit.words.posts;
  const links = offeredTo(visit)
    .filter((one) => counters[one] > 0)
    .map((one) => html` · <a href="${path}/${one}">${thread[one]({ count: counters[one] })}</a>`);
  return html`${links}`;
}
