/** Commands about the relays of others that this server joins. */
import type { JoinedReceipts } from '../../../actors/relay/joined/joined.records.ts';
import {
  type JoinedRelayView,
  joinRelay,
  leaveRelay,
  listJoinedRelays,
} from '../../../operations/relay/joined-relays.ts';
import { command } from './command.ts';

const list = command({
  words: 'relays list',
  sentence: 'Lists the relays of others that this server has joined, and what they have answered.',
  read: () => ({}),
  operation: listJoinedRelays,
  print: (relays) => (relays.length === 0 ? ['This server has joined no relay.'] : relays.map(lineOf)),
});

const subscribe = command({
  words: 'relays subscribe',
  argument: 'ADDRESS',
  sentence:
    'Joins a relay: the address of its inbox (as for Mastodon), or of its actor (LitePub). Asks again where it has not accepted.',
  read: (address) => ({ address }),
  operation: joinRelay,
  print: ({ host, state }) => [`${host}: ${state}`],
});

const leave = command({
  words: 'relays leave',
  argument: 'HOST',
  sentence: 'Leaves a relay: nothing of it is taken, and nothing sent to it any more.',
  read: (relay) => ({ relay }),
  operation: leaveRelay,
  print: ({ host }) => [`${host}: left`],
});

function lineOf({ relay: { host, state, form, inbox, changedAt }, receipts, lane }: JoinedRelayView): string {
  const { failures = 0, failingSince, pending = 0, lastAnswerAt, lastRefusal } = lane ?? {};
  return [
    `${host}  ${state} since ${time(changedAt)}`,
    form === 'actor' ? 'followed as an actor' : inbox,
    ...(pending > 0 ? [`${pending} pending`] : []),
    ...(failingSince === undefined ? [] : [`failing since ${time(failingSince)} (${failures} attempts)`]),
    ...(lastRefusal === undefined ? [] : [`last refused with ${lastRefusal.status}`]),
    ...(lastAnswerAt === undefined ? [] : [`last answer ${time(lastAnswerAt)}`]),
    ...(receipts === undefined ? ['has brought nothing yet'] : broughtBy(receipts)),
  ].join(', ');
}

function broughtBy({ received, taken, refused, shed, lastAt }: JoinedReceipts): string[] {
  return [
    `${received} received, ${taken} of them new`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(shed > 0 ? [`${shed} dropped under load`] : []),
    `last one ${time(lastAt)}`,
  ];
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export const relaysCommands = [list, subscribe, leave];
