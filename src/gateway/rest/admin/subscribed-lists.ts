/** Subscribed lists of domains, and why a server is treated as it is, our own: Mastodon has neither. */
import { z } from 'zod';
import { listEndings } from '../../../actors/instance/domain-lists/domain-lists.records.ts';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import { domainSeverities } from '../../../actors/policy/domains.ts';
import { listedStates, listForms, listModes } from '../../../actors/policy/listed-domains.ts';
import { explainDomain } from '../../../operations/domain-lists/explain-domain.ts';
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
  listedDomainsMax,
  listListedDomains,
  refuseListedDomains,
} from '../../../operations/domain-lists/suggestions.ts';
import {
  AdminDomainListEntity,
  AdminDomainReasonEntity,
  AdminListedDomainEntity,
  AdminTriedListEntity,
  adminDomainListEntity,
  adminDomainReasonEntity,
  adminListedDomainEntity,
  adminTriedListEntity,
} from '../../entities/admin/subscribed-lists.ts';
import { count, EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import {
  boolean,
  choice,
  id,
  integerWithin,
  limit,
  optionalId,
  required,
  text,
  textList,
} from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const path = '/api/murmuration/v1/admin/domain_lists';
const ofOne = { path: `${path}/:id`, parameters: z.object({ id }) };
const reading = { scopes: ['admin:read:domain_blocks'] };
const writing = { scopes: ['admin:write:domain_blocks'] };

const content = {
  title: text,
  url: text,
  format: choice(listForms),
  mode: choice(listModes),
  max_severity: choice(domainSeverities),
  follow_retractions: boolean,
  obfuscate: boolean,
  public_comments: boolean,
  max_severed_follows: integerWithin(0, instanceLimits.domainListFollowsMax),
  interval_hours: integerWithin(instanceLimits.domainListHoursMin, instanceLimits.domainListHoursMax),
};
const Content = z.object(content);

function settingsOf(given: z.output<typeof Content>) {
  return {
    title: given.title,
    url: given.url,
    form: given.format,
    mode: given.mode,
    severityMax: given.max_severity,
    followsRetractions: given.follow_retractions,
    obfuscates: given.obfuscate,
    takesComments: given.public_comments,
    followsMax: given.max_severed_follows,
    hours: given.interval_hours,
  };
}

const getLists = staffEndpoint(listDomainLists, {
  ...reading,
  method: 'GET',
  path,
  summary: 'Lists the subscriptions to blocklists, oldest first.',
  answer: z.array(AdminDomainListEntity),
  handler: (context) => json(listDomainLists(context, {}).map(adminDomainListEntity)),
});

const getReason = staffEndpoint(explainDomain, {
  ...reading,
  method: 'GET',
  path: `${path}/reasons`,
  parameters: z.object({ domain: required(text) }),
  summary: 'Tells why a server is treated as it is: the rule that counts for it, who made it, and what blocklists say.',
  answer: AdminDomainReasonEntity,
  handler: (context, { domain }) => json(adminDomainReasonEntity(explainDomain(context, { domain }))),
});

const postTry = staffEndpoint(tryDomainList, {
  ...reading,
  method: 'POST',
  path: `${path}/try`,
  parameters: z.object({ id: optionalId, ...content }),
  summary: 'Fetches a blocklist and tells what a subscription to it, or other settings of one, would change.',
  answer: AdminTriedListEntity,
  handler: async (context, { id: listId, ...given }) =>
    json(adminTriedListEntity(await tryDomainList(context, { listId, ...settingsOf(given) }))),
});

const getList = staffEndpoint(showDomainList, {
  ...reading,
  ...ofOne,
  method: 'GET',
  summary: 'Shows a subscription to a blocklist.',
  answer: AdminDomainListEntity,
  handler: (context, { id: listId }) => json(adminDomainListEntity(showDomainList(context, { listId }))),
});

const postList = staffEndpoint(subscribeToDomainList, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object({ ...content, url: required(text) }),
  summary:
    'Subscribes to a blocklist, which is read at once; its rules are suggested unless the mode is to apply them.',
  answer: AdminDomainListEntity,
  handler: async (context, given) =>
    json(adminDomainListEntity(await subscribeToDomainList(context, settingsOf(given)))),
});

const putList = staffEndpoint(changeDomainList, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: ofOne.path,
  parameters: z.object({ id, ...content }),
  summary: 'Changes a subscription to a blocklist, which is read again; what is not given stays.',
  answer: AdminDomainListEntity,
  handler: async (context, { id: listId, ...given }) =>
    json(adminDomainListEntity(await changeDomainList(context, { listId, ...settingsOf(given) }))),
});

const deleteList = staffEndpoint(unsubscribeFromDomainList, {
  ...writing,
  method: 'DELETE',
  path: ofOne.path,
  parameters: z.object({ id, rules: required(choice(listEndings)) }),
  summary: 'Ends a subscription to a blocklist. Rules that it alone has made are kept as those of staff, or removed.',
  answer: EmptyEntity,
  async handler(context, { id: listId, rules = 'keep' }) {
    await unsubscribeFromDomainList(context, { listId, rules });
    return empty();
  },
});

const postFetch = staffEndpoint(readDomainListNow, {
  ...writing,
  method: 'POST',
  path: `${ofOne.path}/fetch`,
  parameters: z.object({ id, accept_shrunk: boolean }),
  summary: 'Reads a blocklist now, also one that has lost most of its domains if that is accepted.',
  answer: AdminDomainListEntity,
  handler: async (context, { id: listId, accept_shrunk: mayShrink }) =>
    json(adminDomainListEntity(await readDomainListNow(context, { listId, mayShrink }))),
});

const getDomains = staffEndpoint(listListedDomains, {
  ...reading,
  method: 'GET',
  path: `${ofOne.path}/domains`,
  parameters: z.object({
    id,
    state: choice(listedStates),
    after: text,
    limit: limit(100, listedDomainsMax),
  }),
  summary:
    'Lists what a blocklist says of domains, by their names, and what came of it; those of one state, such as suggested.',
  answer: z.array(AdminListedDomainEntity),
  handler: async (context, { id: listId, ...given }) =>
    json((await listListedDomains(context, { listId, ...given })).map(adminListedDomainEntity)),
});

const decisions = [
  {
    what: 'accept',
    decide: acceptListedDomains,
    summary: 'Accepts what a blocklist suggests for some domains, or for all.',
  },
  {
    what: 'refuse',
    decide: refuseListedDomains,
    summary: 'Refuses what a blocklist suggests: it is suggested again when the list says something else.',
  },
] as const;

const postDecisions = decisions.map(({ what, decide, summary }) =>
  staffEndpoint(decide, {
    ...writing,
    method: 'POST',
    path: `${ofOne.path}/suggestions/${what}`,
    parameters: z.object({ id, domains: textList, all: boolean }),
    summary,
    /** `left_count`: of all, those that follow after the answer. */
    answer: z.strictObject({ decided_count: count, left_count: count }),
    async handler(context, { id: listId, domains, all }) {
      const { decided, left } = await decide(context, { listId, domains, all });
      return json({ decided_count: decided, left_count: left });
    },
  }),
);

/** Those with a word before those with an id. */
export const adminSubscribedListEndpoints = [
  getLists,
  getReason,
  postTry,
  getList,
  postList,
  putList,
  deleteList,
  postFetch,
  getDomains,
  ...postDecisions,
];
