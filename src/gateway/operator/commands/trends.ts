/** Commands about what trends: what waits for a review, and the reviews. */
import { reviewedKinds } from '../../../actors/instance/trends/trend-reviews.records.ts';
import { normaliseTagName, withoutSign } from '../../../actors/text/hashtags.ts';
import {
  candidateLinks,
  candidateStatuses,
  candidateTags,
  reviewTrend,
} from '../../../operations/trends/review-trends.ts';
import type { Trendability } from '../../../operations/trends/reviews.ts';
import { command } from './command.ts';
import { UsageError, wordOf } from './reading.ts';

const listed = { offset: 0, limit: 40 };
const kinds = Object.keys(reviewedKinds) as (keyof typeof reviewedKinds)[];

function stateOf({ isTrendable, requiresReview }: Trendability): string {
  if (requiresReview) return isTrendable ? 'trends, not reviewed' : 'waits for a review';
  return isTrendable ? 'approved' : 'rejected';
}

function linesOf<One extends Trendability>(found: readonly One[], nameOf: (one: One) => string): string[] {
  if (found.length === 0) return ['Nothing is popular enough at the moment.'];
  return found.map((one) => `${nameOf(one)}  (${stateOf(one)})`);
}

const hashtags = command({
  words: 'trends hashtags',
  sentence: 'Lists popular hashtags, and whether they may trend.',
  read: () => listed,
  operation: candidateTags,
  print: (tags) => linesOf(tags, ({ name }) => `#${name}`),
});

const links = command({
  words: 'trends links',
  sentence: 'Lists popular links, and whether they may trend.',
  read: () => listed,
  operation: candidateLinks,
  print: (found) => linesOf(found, ({ card }) => card.url),
});

const posts = command({
  words: 'trends posts',
  sentence: 'Lists the ids of popular posts, and whether they may trend.',
  read: () => listed,
  operation: candidateStatuses,
  print: (statuses) => linesOf(statuses, ({ id }) => id.toString()),
});

function review(verb: 'approve' | 'reject', isTrendable: boolean, sentence: string) {
  return command({
    words: `trends ${verb}`,
    argument: 'KIND:NAME',
    sentence,
    read: (given) => ({ ...subjectIn(given), isTrendable }),
    operation: reviewTrend,
    print: (_reviewed, { name }) => [`${isTrendable ? 'May trend' : 'Does not trend'}: ${name}`],
  });
}

/** `tag:birds`, `link:https://…`, `publisher:example.org`, `status:ID`, `account:ID`. */
function subjectIn(given: string) {
  const colonAt = given.indexOf(':');
  const kind = wordOf(given.slice(0, Math.max(0, colonAt)), kinds, 'What stands before the colon');
  const typed = given.slice(colonAt + 1);
  const name = kind === 'tag' ? normaliseTagName(withoutSign(typed)) : typed;
  if (name === undefined || name === '') throw new UsageError(`${typed} names nothing that can trend.`);
  return { kind, name: kind === 'publisher' ? name.toLowerCase() : name };
}

const approve = review('approve', true, `Lets something trend, and what belongs to it. KIND is ${kinds.join(', ')}.`);
const reject = review('reject', false, 'Does not let it trend.');

export const trendCommands = [hashtags, links, posts, approve, reject];
