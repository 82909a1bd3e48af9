/** Commands about the relay and its subscribers. */
import type { RelayFilter } from '../../../actors/relay/relay.records.ts';
import { importRelayKey } from '../../../operations/relay/import-key.ts';
import { importSubscribers, type LeftOut } from '../../../operations/relay/import-subscribers.ts';
import {
  admitSubscriber,
  examineSubscriber,
  filterSubscriber,
  listSubscribers,
  pruneSubscribers,
  rejectSubscriber,
  removeSubscriber,
  type Subscriber,
} from '../../../operations/relay/subscribers.ts';
import { command, type FlagValues } from './command.ts';
import { asOneLine, contentOf, demandChange, text, wholeNumber, word } from './reading.ts';
import { readExport } from './relay-export.ts';

const pruneDays = 7;
const daysMax = 3_650;
const addressCharactersMax = 200;

const list = command({
  words: 'relay list',
  sentence: 'Lists the subscribers of the relay; those that fail come first.',
  read: () => ({}),
  operation: listSubscribers,
  print: (subscribers) => (subscribers.length === 0 ? ['Nobody subscribes to the relay.'] : subscribers.map(lineOf)),
});

const add = command({
  words: 'relay add',
  argument: 'HOST',
  sentence: 'Lists a server as one that may subscribe, before it has asked.',
  read: (host) => ({ host }),
  mayComeFirst: true,
  operation: admitSubscriber,
  print: ({ host, state }) => [`${host}: ${state}`],
});

const approve = command({
  words: 'relay approve',
  argument: 'HOST',
  sentence: 'Admits a server that waits, or was refused.',
  read: (host) => ({ host }),
  operation: admitSubscriber,
  print: ({ host, state }) => [`${host}: ${state}`],
});

const reject = command({
  words: 'relay reject',
  argument: 'HOST',
  flags: { reason: { value: 'TEXT', sentence: 'What the server is told.' } },
  sentence: 'Refuses a server: it gets nothing, and asks in vain.',
  read: (host, given) => ({ host, reason: text(given, 'reason') }),
  operation: rejectSubscriber,
  print: ({ host }) => [`${host}: refused`],
});

const remove = command({
  words: 'relay remove',
  argument: 'HOST',
  sentence: 'Ends a subscription. The server may ask again.',
  read: (host) => ({ host }),
  operation: removeSubscriber,
  print: ({ host }) => [`${host}: removed`],
});

const lists = 'separated by commas';
const filter = command({
  words: 'relay filter',
  argument: 'HOST',
  flags: {
    of: { value: 'DIRECTION', sentence: 'takes: what the server gets (default); gives: what is taken from it.' },
    tags: { value: 'TAGS', sentence: `Only posts with one of these tags, ${lists}.` },
    languages: { value: 'LANGUAGES', sentence: `Only posts in one of these languages, such as de, ${lists}.` },
    only: { value: 'SERVERS', sentence: `Only posts of these servers, ${lists}.` },
    except: { value: 'SERVERS', sentence: `No posts of these servers, ${lists}.` },
    'media-only': { sentence: 'Only posts with media.' },
    'no-bots': { sentence: 'No posts of bots.' },
    'no-sensitive': { sentence: 'No posts that are marked as sensitive.' },
    everything: { sentence: 'Removes the filter.' },
  },
  sentence: 'Replaces what a subscriber gets, or what is taken from it.',
  read: (host, given) => {
    demandChange(given);
    const direction = word(given, 'of', ['takes', 'gives']) ?? 'takes';
    return { host, [direction]: given.everything === true ? {} : filterOf(given) };
  },
  operation: filterSubscriber,
  print: ({ host, takes, gives }) => [`${host}: takes ${describe(takes)}; gives ${describe(gives)}`],
});

function filterOf(given: FlagValues): RelayFilter {
  const listed = (flag: string) => text(given, flag)?.split(',');
  return {
    tags: listed('tags')?.map((tag) => tag.trim().replace(/^#/, '')),
    languages: listed('languages'),
    onlyServers: listed('only'),
    exceptServers: listed('except'),
    mediaOnly: given['media-only'] === true || undefined,
    noBots: given['no-bots'] === true || undefined,
    noSensitive: given['no-sensitive'] === true || undefined,
  };
}

function describe(filter: RelayFilter | undefined): string {
  const parts = Object.entries(filter ?? {}).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return [Array.isArray(value) ? `${name} ${value.join(', ')}` : name];
  });
  return parts.length === 0 ? 'everything' : parts.join('; ');
}

const prune = command({
  words: 'relay prune',
  flags: {
    days: { value: 'NUMBER', sentence: `Days without an answer, ${pruneDays} by default.` },
    'dry-run': { sentence: 'Only names them.' },
  },
  sentence: 'Ends the subscriptions of servers that have not answered for days.',
  read: (_argument, given) => ({
    days: wholeNumber(given, 'days', daysMax) ?? pruneDays,
    isDryRun: given['dry-run'] === true,
  }),
  operation: pruneSubscribers,
  print: (hosts, { isDryRun }) => {
    if (hosts.length === 0) return ['All subscribers have answered.'];
    return [...hosts, `${hosts.length} subscribers ${isDryRun ? 'would be' : 'were'} removed.`];
  },
});

const reasonsToLeaveOut: Readonly<Record<LeftOut['why'], string>> = {
  suspended: 'its server is suspended here.',
  elsewhere: 'it is on another host than its actor.',
  'no address': 'it is no address of the web.',
};

const takeOver = command({
  words: 'relay import',
  argument: 'FILE',
  sentence: 'Takes over the subscribers of another relay at the same address, from its export in JSON.',
  read: (path) => readExport(path),
  operation: importSubscribers,
  print: ({ taken, given, leftOut, blocked, limited }) => [
    ...leftOut.map(
      ({ inbox, why }) => `Left out: ${asOneLine(inbox, addressCharactersMax)}: ${reasonsToLeaveOut[why]}`,
    ),
    ...(blocked.length > 0 ? [`The other relay blocked ${named(blocked)}: see murmuration domains block.`] : []),
    ...(limited.length > 0
      ? [`It passed on nothing of ${named(limited)}: see murmuration relay filter HOST --of=gives.`]
      : []),
    `${taken} of ${given} subscribers were taken over.`,
  ],
});

function named(servers: readonly string[]): string {
  return servers.map((server) => asOneLine(server, addressCharactersMax)).join(', ');
}

const takeKey = command({
  words: 'relay import-key',
  argument: 'FILE',
  sentence:
    'Takes over the key of another relay at the same address (PEM), so that its subscribers need not fetch another.',
  read: (path) => ({ pem: contentOf(path).toString('utf8') }),
  mayComeFirst: true,
  operation: importRelayKey,
  print: ({ bits }) => [`The relay signs with this key of ${bits} bits from now on.`],
});

const doctor = command({
  words: 'relay doctor',
  argument: 'HOST',
  sentence: 'Runs the handshake with a subscriber again, and says which step or signature fails, and why.',
  read: (host) => ({ host }),
  operation: examineSubscriber,
  print: (findings) => findings.map(({ step, isGood, said }) => `${isGood ? 'ok  ' : 'FAIL'} ${step}: ${said}`),
});

function lineOf({ subscription: { host, state, follower, takes, gives }, lane }: Subscriber): string {
  const filters = [
    ...(takes === undefined ? [] : [`takes ${describe(takes)}`]),
    ...(gives === undefined ? [] : [`gives ${describe(gives)}`]),
  ];
  return [
    `${host}  ${state}`,
    ...(follower?.form === 'actor' ? ['announcements'] : []),
    ...progressOf(lane),
    ...filters,
  ].join(', ');
}

function progressOf(lane: Subscriber['lane']): string[] {
  if (lane === undefined) return [];
  const { state, pending, hasMore, delivered, tooOld, overwritten, filtered, failures, failingSince } = lane;
  const { lastAnswerAt, nextAttemptAt, refusals, lastRefusal } = lane;
  return [
    `${state}`,
    `${pending}${hasMore ? ' or more' : ''} pending`,
    `${delivered} delivered`,
    ...(tooOld + overwritten > 0 ? [`${tooOld + overwritten} dropped`] : []),
    ...(filtered > 0 ? [`${filtered} filtered`] : []),
    ...(failingSince === undefined ? [] : [`failing since ${time(failingSince)} (${failures} attempts)`]),
    ...(nextAttemptAt === undefined ? [] : [`next attempt ${time(nextAttemptAt)}`]),
    ...(lastRefusal === undefined ? [] : [`refused ${refusals}, last with ${lastRefusal.status}`]),
    ...(lastAnswerAt === undefined ? [] : [`last answer ${time(lastAnswerAt)}`]),
  ];
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export const relayCommands = [list, add, approve, reject, remove, filter, prune, takeOver, takeKey, doctor];
