/** Settings of a part that opens streams, and posts what they are to receive. */
import { z } from 'zod';
import { loadLimits } from '../limits.ts';
import { count, moment, rate, timeoutSeconds } from '../scenario/fields.ts';

export const StreamSettings = z.strictObject({
  sockets: count(loadLimits.socketsMax, 1).default(100).describe('streams that are open'),
  transport: z
    .enum(['websocket', 'sse', 'both'])
    .default('websocket')
    .describe('websocket, sse, or half of each: both'),
  channel: z
    .enum(['user', 'public', 'public:local', 'hashtag'])
    .default('public:local')
    .describe('user: what each is to get is told from what it gets; of the others everybody gets every post'),
  tag: z.string().min(1).max(100).default('tides').describe('of the channel hashtag; posts have #tides'),
  rate: rate.default(1).describe('posts a second'),
  posters: count(64, 1).default(1).describe('how many of the tokens post, in turn'),
  timeoutSeconds: timeoutSeconds.default(10).describe('how long a post, a connection or the last event may take'),
  stormSockets: count(loadLimits.socketsMax).default(0).describe('streams that are cut off at once, and come back'),
  stormAtSeconds: moment.default(10).describe('when that happens'),
  stormWithinSeconds: moment.default(0).describe('over how many seconds they come back; 0: all at once'),
  stormResumes: z
    .boolean()
    .default(true)
    .describe('whether they name the last event that they have, where the server gives events ids'),
  sourceAddresses: count(200, 1)
    .default(1)
    .describe('loopback addresses that streams come from, in turn: servers bound streams of one address'),
  streamingAddress: z
    .url({ protocol: /^(?:ws|wss|http|https)$/, error: 'an address such as ws://localhost:4000' })
    .optional()
    .describe('where streams are served, if not at the address of the server'),
});
export type StreamSettings = z.output<typeof StreamSettings>;
