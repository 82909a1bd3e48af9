/** Commands about subscribed blocklists, and about why a server is treated as it is. */
import type {
  DomainListSubscription,
  ListedDomain,
  ListProblem,
} from '../../../actors/instance/domain-lists/domain-lists.records.ts';
import { listEndings } from '../../../actors/instance/domain-lists/domain-lists.records.ts';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import { domainSeverities } from '../../../actors/policy/domains.ts';
import { type ListedContent, listedStates, listForms, listModes } from '../../../actors/policy/listed-domains.ts';
import { explainDomain, type NamedByList } from '../../../operations/domain-lists/explain-domain.ts';
import {
  changeDomainList,
  listDomainLists,
  readDomainListNow,
  showDomainList,
  subscribeToDomainList,
  tryDomainList,
  unsubscribeFromDomainList,
} from '../../../operations/domain-lists/subscriptions.ts';
import {
  acceptListedDomains,
  type Decided,
  listedDomainsMax,
  listListedDomains,
  refuseListedDomains,
} from '../../../operations/domain-lists/suggestions.ts';
import { parseId } from '../../../runtime/ids.ts';
import type { TriedRow } from '../../../services/domain-lists.ts';
import { command, type FlagValues } from './command.ts';
import { asOneLine, demandChange, either, text, UsageError, wholeNumber, word } from './reading.ts';

const commentCharactersMax = 200;

const settings = {
  title: { value: 'TEXT', sentence: 'What staff know it by; the name of its host by default.' },
  format: { value: 'FORMAT', sentence: `One of ${listForms.join(', ')}; csv by default.` },
  mode: { value: 'MODE', sentence: 'suggest (default): staff decide about each rule. apply: the list is followed.' },
  'max-severity': { value: 'SEVERITY', sentence: `One of ${domainSeverities.join(', ')}; beyond it rules are milder.` },
  'follow-retractions': { sentence: 'Rules end when the list drops them (default).' },
  'keep-retracted': { sentence: 'Rules stay when the list drops them.' },
  obfuscate: { sentence: 'The public list hides a part of the names of all its domains.' },
  'no-obfuscate': { sentence: 'Only of those for which the list says so (default).' },
  comments: { sentence: 'Its comments become public comments of rules (default).' },
  'no-comments': { sentence: 'Its comments are shown to staff only.' },
  'max-severed': { value: 'NUMBER', sentence: 'A suspension that ends more follows is left to staff; 0 by default.' },
  hours: { value: 'NUMBER', sentence: 'From one reading to the next; 24 by default.' },
} as const;

function settingsIn(given: FlagValues) {
  return {
    title: text(given, 'title'),
    form: word(given, 'format', listForms),
    mode: word(given, 'mode', listModes),
    severityMax: word(given, 'max-severity', domainSeverities),
    followsRetractions: either(given, 'follow-retractions', 'keep-retracted'),
    obfuscates: either(given, 'obfuscate', 'no-obfuscate'),
    takesComments: either(given, 'comments', 'no-comments'),
    followsMax: text(given, 'max-severed') === '0' ? 0 : followsMaxIn(given),
    hours: wholeNumber(given, 'hours', instanceLimits.domainListHoursMax),
  };
}

function followsMaxIn(given: FlagValues): number | undefined {
  return wholeNumber(given, 'max-severed', instanceLimits.domainListFollowsMax);
}

function idOf(given: string): string {
  if (parseId(given) === undefined) throw new UsageError(`${given} is not the number of a list.`);
  return given;
}

const problems: Readonly<Record<ListProblem, string>> = {
  unreachable: 'its server does not answer',
  throttled: 'its server asks for a pause',
  refused: 'its server refuses it',
  notFound: 'it is not there',
  address: 'its address, or one that it leads to, may not be asked',
  invalid: 'the answer cannot be used',
  tooLarge: 'it is too large',
  notText: 'it is not text in UTF-8',
  page: 'a web page is there instead',
  empty: 'it is empty',
  shrunk: 'it has lost most of its domains',
  unreadable: 'it cannot be read in this form',
};

const list = command({
  words: 'blocklists list',
  sentence: 'Lists the subscriptions to blocklists, and how they do.',
  read: () => ({}),
  operation: listDomainLists,
  print: (lists) => (lists.length === 0 ? ['There are no subscriptions to blocklists.'] : lists.flatMap(linesOf)),
});

const show = command({
  words: 'blocklists show',
  argument: 'ID',
  sentence: 'Shows a subscription to a blocklist.',
  read: (given) => ({ listId: idOf(given) }),
  operation: showDomainList,
  print: linesOf,
});

const add = command({
  words: 'blocklists add',
  argument: 'URL',
  flags: settings,
  sentence: 'Subscribes to a blocklist, which is read at once.',
  read: (url, given) => ({ url, ...settingsIn(given) }),
  operation: subscribeToDomainList,
  print: (added) => [`Subscribed to ${added.title}, number ${added.id}.`],
});

const modify = command({
  words: 'blocklists modify',
  argument: 'ID',
  flags: { ...settings, url: { value: 'URL', sentence: 'Where the list is now.' } },
  sentence: 'Changes a subscription to a blocklist, which is read again; what is not given stays.',
  read(given, flags) {
    demandChange(flags);
    return { listId: idOf(given), url: text(flags, 'url'), ...settingsIn(flags) };
  },
  operation: changeDomainList,
  print: linesOf,
});

const remove = command({
  words: 'blocklists remove',
  argument: 'ID',
  flags: {
    rules: { value: 'WHAT', required: true, sentence: 'keep: its rules become those of staff. remove: they end.' },
  },
  sentence: 'Ends a subscription to a blocklist.',
  read: (given, flags) => ({ listId: idOf(given), rules: word(flags, 'rules', listEndings) ?? 'keep' }),
  operation: unsubscribeFromDomainList,
  print: ({ title }, { rules }) => [
    `Ended the subscription to ${title}: its rules ${rules === 'keep' ? 'stay' : 'end'}.`,
  ],
});

const read = command({
  words: 'blocklists fetch',
  argument: 'ID',
  flags: { 'accept-shrunk': { sentence: 'Also where the list has lost most of its domains.' } },
  sentence: 'Reads a blocklist now.',
  read: (given, flags) => ({ listId: idOf(given), mayShrink: flags['accept-shrunk'] === true }),
  operation: readDomainListNow,
  print: ({ title }) => [`${title} is being read.`],
});

const tries = command({
  words: 'blocklists try',
  argument: 'ID-OR-URL',
  flags: settings,
  sentence: 'Tells what a blocklist would change. Nothing is changed.',
  read: (given, flags) => ({
    ...(parseId(given) === undefined ? { url: given } : { listId: given }),
    ...settingsIn(flags),
  }),
  operation: tryDomainList,
  print({ problem, detail, domains, unreadable, rows, counts }) {
    if (problem !== undefined) return [`It would not be followed: ${problems[problem]} (${detail}).`];
    const { begins, changes, ends, suggested } = counts;
    return [
      ...rows.map(triedLine),
      `Domains: ${domains}; rows that cannot be read: ${unreadable}`,
      `Rules that would begin: ${begins}, change: ${changes}, end: ${ends}; suggestions: ${suggested}`,
    ];
  },
});

const domains = command({
  words: 'blocklists domains',
  argument: 'ID',
  flags: {
    state: { value: 'STATE', sentence: `One of ${listedStates.join(', ')}; suggested by default.` },
    after: { value: 'DOMAIN', sentence: 'Those after it, by their names.' },
    limit: { value: 'NUMBER', sentence: `How many to list, ${listedDomainsMax} by default.` },
  },
  sentence: 'Lists what a blocklist suggests, or what else it says of domains.',
  read: (given, flags) => ({
    listId: idOf(given),
    state: word(flags, 'state', listedStates) ?? ('suggested' as const),
    after: text(flags, 'after'),
    limit: wholeNumber(flags, 'limit', listedDomainsMax) ?? listedDomainsMax,
  }),
  operation: listListedDomains,
  print: (entries) => (entries.length === 0 ? ['There are none.'] : entries.map(domainLine)),
});

const chosen = {
  domain: { value: 'DOMAIN', sentence: 'The one that it suggests something about.' },
  all: { sentence: 'All that it suggests.' },
};

function chosenBy(given: string, flags: FlagValues) {
  const domain = text(flags, 'domain');
  if ((domain === undefined) !== (flags.all === true)) throw new UsageError('Give either --domain or --all.');
  return { listId: idOf(given), ...(domain === undefined ? { all: true } : { domains: [domain] }) };
}

const accept = command({
  words: 'blocklists accept',
  argument: 'ID',
  flags: chosen,
  sentence: 'Accepts what a blocklist suggests.',
  read: chosenBy,
  operation: acceptListedDomains,
  print: (done) => decidedLines('Accepted', done),
});

const refuse = command({
  words: 'blocklists refuse',
  argument: 'ID',
  flags: chosen,
  sentence: 'Refuses what a blocklist suggests, until the list says something else.',
  read: chosenBy,
  operation: refuseListedDomains,
  print: (done) => decidedLines('Refused', done),
});

const why = command({
  words: 'domains why',
  argument: 'DOMAIN',
  sentence: 'Tells why a domain is treated as it is: its rule, who made it, and what blocklists say.',
  read: (domain) => ({ domain }),
  operation: explainDomain,
  print({ domain, rule, allow, mode, lists }) {
    const madeBy = rule?.isOfLists === true ? 'blocklists' : 'staff';
    const below = rule === undefined || rule.domain === domain ? '' : `, as part of ${rule.domain}`;
    const isShut = mode === 'allow-list' && allow === undefined;
    return [
      ...(isShut ? [`${domain}: not allowed, and this server talks with allowed ones only`] : []),
      rule === undefined
        ? `${domain}: no rule`
        : `${domain}: ${contentOf(rule)} by ${madeBy} since ${time(rule.createdAt)}${below}`,
      ...(allow === undefined ? [] : [`Staff have allowed ${allow.domain} since ${time(allow.createdAt)}`]),
      ...lists.map(reasonLine),
    ];
  },
});

function decidedLines(what: string, { decided, left }: Decided): string[] {
  return [left === 0 ? `${what}: ${decided}` : `${what}: ${decided}; ${left} more follow`];
}

function linesOf(of: DomainListSubscription): string[] {
  const { id, title, url, form, mode, severityMax, readAt, rows, unreadable, inForce, suggested, problem, dueAt } = of;
  return [
    `${id}  ${asOneLine(title, commentCharactersMax)}  ${url}`,
    `  ${form}, ${mode} up to ${severityMax}; retractions ${of.followsRetractions ? 'followed' : 'not followed'}`,
    readAt === undefined
      ? '  not read yet'
      : `  read ${time(readAt)}: ${rows} domains, ${unreadable} unreadable, ${inForce} in force, ${suggested} suggested`,
    ...(problem === undefined
      ? []
      : [`  not followed since ${time(problem.at)}: ${problems[problem.kind]} (${problem.detail})`]),
    `  ${of.reading === undefined ? `next ${time(dueAt)}` : 'being read'}`,
  ];
}

function contentOf({ severity, rejectMedia, rejectReports, obfuscate, publicComment }: ListedContent): string {
  const notes = [
    ...(rejectMedia ? ['rejects media'] : []),
    ...(rejectReports ? ['rejects reports'] : []),
    ...(obfuscate ? ['obfuscated'] : []),
    ...(publicComment === undefined ? [] : [asOneLine(publicComment, commentCharactersMax)]),
  ];
  return notes.length === 0 ? severity : `${severity} (${notes.join('; ')})`;
}

function domainLine({ domain, listed, state, isGone, follows = 0 }: ListedDomain): string {
  const what = isGone === true ? 'no longer listed' : contentOf(listed);
  return `${domain}  ${state}  ${what}${follows > 0 ? `, ends ${follows} follows` : ''}`;
}

function triedLine({ domain, listed, outcome, state, follows }: TriedRow): string {
  const what = listed === undefined ? 'no longer listed' : contentOf(listed);
  const became = outcome === 'nothing' ? (state ?? outcome) : outcome;
  return `${domain}  ${became}  ${what}${follows > 0 ? `, ends ${follows} follows` : ''}`;
}

function reasonLine({ list: of, entry }: NamedByList): string {
  return `${asOneLine(of.title, commentCharactersMax)}, since ${time(entry.since)}: ${domainLine(entry)}`;
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export const subscribedListCommands = [list, show, add, modify, remove, read, tries, domains, accept, refuse, why];
