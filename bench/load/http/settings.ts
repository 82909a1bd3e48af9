/** Settings of a part that loads the HTTP interface as apps do, and the sessions that apps have. */
import { z } from 'zod';
import { loadLimits } from '../limits.ts';
import { count, rate, timeoutSeconds } from '../scenario/fields.ts';
import builtIn from './sessions.json' with { type: 'json' };

const path = z.string().regex(/^\/(?!\/)/, { error: 'a path begins with one "/"' });

/** One request of a session. Values in braces are filled in when it is due: http/values.ts lists them. */
const Request = z
  .strictObject({
    /** Seconds after the session began; requests of one moment are sent at once. */
    at: z.number().min(0).max(3_600),
    /** Under which it is counted. */
    name: z.string().min(1).max(60),
    get: path.optional(),
    post: path.optional(),
    /** The body of a POST. */
    json: z.record(z.string(), z.unknown()).optional(),
    /** The body of a POST is a form with a picture of this size as `file`. */
    picture: z
      .string()
      .regex(/^\d{1,4}x\d{1,4}$/, { error: 'a picture is written as WIDTHxHEIGHT' })
      .optional(),
    /** What its answer contains, for later requests of the session. */
    keep: z.enum(['statuses', 'status', 'media', 'account']).optional(),
  })
  .refine(({ get, post }) => (get === undefined) !== (post === undefined), {
    error: 'a request has either get or post',
  })
  .refine(({ post, json, picture }) => post !== undefined || (json === undefined && picture === undefined), {
    error: 'only a post has json or a picture',
  })
  .refine(({ json, picture }) => json === undefined || picture === undefined, {
    error: 'a post has json or a picture, not both',
  });

export type SessionRequest = z.output<typeof Request>;

export const Sessions = z.record(z.string(), z.array(Request).min(1).max(loadLimits.requestsPerSessionMax));
export type Sessions = z.output<typeof Sessions>;

export const builtInSessions: Sessions = Sessions.parse(builtIn);

export const HttpSettings = z.strictObject({
  rate: rate.default(5).describe('sessions that begin a second'),
  mix: z
    .record(z.string(), z.number().positive())
    .default({ 'open app': 3, scroll: 4, 'open thread': 2, notifications: 2, favourite: 1, post: 1, picture: 0.1 })
    .describe('which sessions, in proportion: --mix="scroll=4,post=1"'),
  connections: count(loadLimits.connectionsMax, 1).default(64).describe('connections to the server, kept open'),
  timeoutSeconds: timeoutSeconds.default(10).describe('a request that is not answered by then has failed'),
});
export type HttpSettings = z.output<typeof HttpSettings>;
