/** The options of fetching replies: rows of the table. */
import { optionLimits } from './limits.ts';
import { option } from './option.ts';
import { onOff, wholeNumber } from './values.ts';

export const replyOptions = [
  option({
    name: 'fetchReplies',
    environment: 'MURMURATION_FETCH_REPLIES',
    schema: onOff,
    default: true,
    sentence:
      'Whether the thread of a post of another server is fetched, from the servers of all who answered, when somebody with an account opens the post.',
  }),
  option({
    name: 'fetchRepliesRequests',
    environment: 'MURMURATION_FETCH_REPLIES_REQUESTS',
    schema: wholeNumber(1, optionLimits.repliesRequestsMax),
    default: 500,
    sentence: 'Requests to other servers for one thread each time; what is missing then follows the next time.',
  }),
  option({
    name: 'fetchRepliesPerHost',
    environment: 'MURMURATION_FETCH_REPLIES_PER_HOST',
    schema: wholeNumber(1, optionLimits.repliesRequestsMax),
    default: 200,
    sentence: 'Of these, requests to one server.',
  }),
  option({
    name: 'fetchRepliesPause',
    environment: 'MURMURATION_FETCH_REPLIES_PAUSE',
    schema: wholeNumber(0, optionLimits.repliesPauseMillisecondsMax),
    default: 200,
    unit: 'milliseconds',
    sentence:
      'Pause between two requests to the same server for threads, which are made one after the other however many threads are fetched.',
  }),
  option({
    name: 'fetchRepliesMinutes',
    environment: 'MURMURATION_FETCH_REPLIES_MINUTES',
    schema: wholeNumber(1, optionLimits.repliesMinutesMax),
    default: 15,
    unit: 'minutes',
    sentence: 'Time after which a thread that was fetched may be fetched again.',
  }),
] as const;
