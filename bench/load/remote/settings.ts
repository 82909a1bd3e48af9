/** Settings of the parts that play other servers. */
import { z } from 'zod';
import { loadLimits } from '../limits.ts';
import { count, moment, port, rate, share, timeoutSeconds } from '../scenario/fields.ts';
import { behaviours, behaviourWords } from './behaviours.ts';

const keys = count(loadLimits.keysMax, 1)
  .default(8)
  .describe('key pairs, shared by the servers in turn; RSA takes 50 ms each to make');
const dialect = z.enum(['cavage', 'rfc9421']).default('cavage').describe('how what is sent is signed');
const keyType = z
  .enum(['rsa', 'ed25519'])
  .default('rsa')
  .describe('ed25519 needs the dialect rfc9421, and a server that takes it');
const inbox = {
  senders: count(loadLimits.sendersMax, 1).default(50).describe('servers that send, each with one person'),
  rate: rate.default(10).describe('activities a second'),
  to: z
    .url({ protocol: /^https?$/, error: 'the address of an actor' })
    .optional()
    .describe('whom they mention: the address of an actor; the account of the first token if left out'),
  dialect,
  keyType,
  keys,
  connections: count(loadLimits.connectionsMax, 1).default(64).describe('connections to the server, kept open'),
  timeoutSeconds: timeoutSeconds.default(10).describe('an activity that is not answered by then has failed'),
  port: port.default(21_920).describe('on which the servers listen, at 127.1.0.1 and so on'),
};
export const InboxSettings = z.strictObject(inbox);
export type InboxSettings = z.output<typeof InboxSettings>;

const fleet = {
  follows: z
    .enum(['relay', 'account'])
    .default('relay')
    .describe('relay: they subscribe to it and some send; account: they follow that of the first token, which posts'),
  subscribers: count(loadLimits.serversMax, 1).default(100).describe('servers that are to get everything'),
  senders: count(loadLimits.sendersMax, 1).default(4).describe('further servers that send to the relay'),
  rate: rate.default(1).describe('posts a second'),
  announced: z
    .boolean()
    .default(false)
    .describe('posts come without a signature in the document: a relay can only announce them'),
  litepub: share
    .default(0)
    .describe(
      'share of subscribers that follow the actor of the relay, as Pleroma and Akkoma do, accept that it follows them, and get announcements',
    ),
  behaviours: z
    .partialRecord(z.enum(behaviours), share)
    .default({})
    .describe(
      `shares of subscribers that are not healthy, as "dead=0.3,stalling=0.1": ${Object.entries(behaviourWords)
        .map(([name, words]) => `${name} ${words}`)
        .join('; ')}`,
    )
    .refine((shares) => Object.values(shares).reduce((sum, one) => sum + one, 0) <= 1, {
      error: 'the shares are more than 1 together',
    }),
  badFromSeconds: moment.default(0).describe('from when on they behave so; all are healthy before'),
  badUntilSeconds: moment.default(loadLimits.secondsMax).describe('when all are healthy again'),
  returnSpeaks: z
    .boolean()
    .default(true)
    .describe('whether a server that comes back sends something at once, as most do'),
  slowMilliseconds: z.number().min(0).max(60_000).default(500).describe('how late slow ones answer'),
  waitSeconds: moment.default(10).describe('at the end, for what is still on its way'),
  relayInbox: z
    .string()
    .regex(/^\//, { error: 'a path, such as /inbox' })
    .default('/inbox')
    .describe('path of the inbox that administrators enter'),
  relayActor: z
    .string()
    .regex(/^\//, { error: 'a path, such as /actor' })
    .default('/actor')
    .describe('path of the actor that those of LitePub follow'),
  dialect,
  keyType,
  keys,
  timeoutSeconds: timeoutSeconds.default(30).describe('for a post to be answered, and for all to have subscribed'),
  port: port.default(21_921).describe('on which the servers listen, at 127.1.0.1 and so on'),
};
export const FleetSettings = z.strictObject(fleet);
export type FleetSettings = z.output<typeof FleetSettings>;
