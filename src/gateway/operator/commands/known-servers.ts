/** Commands about other servers as this one knows them, and deliveries to them. */
import {
  clearDeliveryFailures,
  purgeServer,
  restartDelivery,
  stopDelivery,
} from '../../../operations/administration/server-decisions.ts';
import {
  type KnownServer,
  listServers,
  serverAvailabilities,
  serverPolicies,
  serversListedMax,
  showServer,
} from '../../../operations/administration/servers.ts';
import { lastErrorOf } from '../../../services/delivery-lanes.ts';
import { command } from './command.ts';
import { text, wholeNumber, word } from './reading.ts';

const serversListed = 40;

const list = command({
  words: 'servers list',
  flags: {
    limit: { value: 'NUMBER', sentence: `How many to list, ${serversListed} by default.` },
    offset: { value: 'NUMBER', sentence: 'How many to leave out at the beginning.' },
    domain: { value: 'TEXT', sentence: 'A part of their names.' },
    policy: { value: 'POLICY', sentence: `One of ${serverPolicies.join(', ')}.` },
    availability: { value: 'AVAILABILITY', sentence: `One of ${serverAvailabilities.join(', ')}.` },
  },
  sentence: 'Lists the servers whose accounts are known here, those with most accounts first.',
  read: (_argument, flags) => ({
    limit: wholeNumber(flags, 'limit', serversListedMax) ?? serversListed,
    offset: wholeNumber(flags, 'offset', 100_000) ?? 0,
    domain: text(flags, 'domain'),
    policy: word(flags, 'policy', serverPolicies),
    availability: word(flags, 'availability', serverAvailabilities),
  }),
  operation: listServers,
  print: ({ items, hasMore }) =>
    items.length === 0
      ? ['There are no such servers.']
      : [...items.map(lineOf), ...(hasMore ? ['There are more: go on with --offset.'] : [])],
});

const show = command({
  words: 'servers show',
  argument: 'DOMAIN',
  sentence: 'Shows what is known here of another server.',
  read: (domain) => ({ domain }),
  operation: showServer,
  print: (server) => [lineOf(server), ...linesAbout(server)],
});

const stop = command({
  words: 'servers stop',
  argument: 'DOMAIN',
  sentence: 'Stops deliveries to a server and its subdomains: what is for them waits.',
  read: (domain) => ({ domain }),
  operation: stopDelivery,
  print: (_done, { domain }) => [`Deliveries to ${domain} wait.`],
});

const restart = command({
  words: 'servers restart',
  argument: 'DOMAIN',
  sentence: 'Tries at once what waits for a server.',
  read: (domain) => ({ domain }),
  operation: restartDelivery,
  print: (_done, { domain }) => [`Deliveries to ${domain} are tried.`],
});

const clear = command({
  words: 'servers clear-failures',
  argument: 'DOMAIN',
  sentence: 'Forgets that deliveries to a server have failed.',
  read: (domain) => ({ domain }),
  operation: clearDeliveryFailures,
  print: (_done, { domain }) => [`${domain} counts as a server that never failed.`],
});

const purge = command({
  words: 'servers purge',
  argument: 'DOMAIN',
  sentence: 'Removes everything that the accounts of a server have left here. Follows end; it cannot be undone.',
  read: (domain) => ({ domain }),
  operation: purgeServer,
  print: ({ domain }) => [`What the accounts of ${domain} have left here is being removed.`],
});

function lineOf({ domain, figures, rule, delivery }: KnownServer): string {
  const { accounts, followers, following, statuses } = figures;
  return [
    `${domain}  ${delivery.state}`,
    `${accounts} accounts`,
    `${followers} followers`,
    `${following} followed`,
    `${statuses} posts`,
    ...(rule === undefined ? [] : [rule.severity]),
  ].join(', ');
}

function linesAbout({ figures, rule, isAllowed, delivery, purge: purged }: KnownServer): string[] {
  const { lane, stopped, failingSince, lastDeliveredAt } = delivery;
  const error = lastErrorOf(lane);
  const lines = [
    `${figures.mediaBytes} bytes of copies of its files`,
    rule !== undefined && `rule for ${rule.domain}: ${rule.severity}`,
    isAllowed && 'on the allow-list',
    stopped !== undefined && `deliveries stopped at ${time(stopped.at)}`,
    lane !== undefined && `${lane.pending}${lane.hasMore ? ' or more' : ''} deliveries wait`,
    failingSince !== undefined && `failing since ${time(failingSince)}`,
    error !== undefined && `last error ${error.status ?? error.fault ?? 'no answer'} at ${time(error.at)}`,
    lastDeliveredAt !== undefined && `last delivery at ${time(lastDeliveredAt)}`,
    purged !== undefined &&
      `purged at ${time(purged.startedAt)}: ${purged.accounts} accounts${purged.endedAt === undefined ? ' so far' : ''}`,
  ];
  return lines.filter((line) => line !== false);
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export const knownServerCommands = [list, show, stop, restart, clear, purge];
