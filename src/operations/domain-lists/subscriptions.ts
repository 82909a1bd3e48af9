/** Subscriptions to lists of domains that others publish: made, changed, ended, and read at once by staff. */
import { z } from 'zod';
import { allDomainLists, findDomainList } from '../../actors/instance/domain-lists/domain-lists.queries.ts';
import {
  type DomainListSettings,
  type DomainListSubscription,
  listEndings,
} from '../../actors/instance/domain-lists/domain-lists.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { domainSeverities } from '../../actors/policy/domains.ts';
import { listForms, listModes } from '../../actors/policy/listed-domains.ts';
import { parseRemoteUrl } from '../../outbound/fetcher/remote-policy.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import type { TriedList } from '../../services/domain-lists.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { FieldsRefused, tooLong } from '../refused-fields.ts';

const { domainListFollowsMax, domainListHoursMin, domainListHoursMax } = instanceLimits;

/** What is not given is as in `usual`, or stays. */
const settings = {
  title: z.string().trim().optional(),
  url: z.string().trim().optional(),
  form: z.enum(listForms).optional(),
  mode: z.enum(listModes).optional(),
  severityMax: z.enum(domainSeverities).optional(),
  followsRetractions: z.boolean().optional(),
  obfuscates: z.boolean().optional(),
  takesComments: z.boolean().optional(),
  followsMax: z.int().min(0).max(domainListFollowsMax).optional(),
  hours: z.int().min(domainListHoursMin).max(domainListHoursMax).optional(),
};
type GivenSettings = z.output<z.ZodObject<typeof settings>>;

/** A new subscription decides nothing by itself. */
const usual: Omit<DomainListSettings, 'title' | 'url'> = {
  form: 'csv',
  mode: 'suggest',
  severityMax: 'suspend',
  followsRetractions: true,
  obfuscates: false,
  takesComments: true,
  followsMax: 0,
  hours: 24,
};

const ofOne = z.object({ listId: z.coerce.bigint() });

/** Oldest first. */
export const listDomainLists = operation({
  input: z.object({}),
  permission: 'manageFederation',
  audit: reads,
  run: ({ services }): readonly DomainListSubscription[] => allDomainLists(services.snapshots),
});

export const showDomainList = operation({
  input: ofOne,
  permission: 'manageFederation',
  audit: reads,
  run: ({ services }, { listId }) => listOf(services, listId),
});

/** The list is read at once, which its answer does not wait for. */
export const subscribeToDomainList = operation({
  input: z.object(settings),
  permission: 'manageFederation',
  audit: 'subscribeToDomainList',
  async run({ caller, services, audit }, given): Promise<DomainListSubscription> {
    const checked = checkedSettings(services, usual, given);
    return services.client.call(Instance.subscribeToDomainList.to(instanceKey, { ...checked, audit }), flowOf(caller));
  },
});

/** What is not given stays. The list is read again. */
export const changeDomainList = operation({
  input: ofOne.extend(settings),
  permission: 'manageFederation',
  audit: 'changeDomainList',
  async run({ caller, services, audit }, { listId, ...given }): Promise<DomainListSubscription> {
    const checked = checkedSettings(services, settingsOf(listOf(services, listId)), given);
    const message = Instance.changeDomainList.to(instanceKey, { listId, settings: checked, audit });
    return services.client.call(message, flowOf(caller));
  },
});

export const unsubscribeFromDomainList = operation({
  input: ofOne.extend({ rules: z.enum(listEndings) }),
  permission: 'manageFederation',
  audit: 'unsubscribeFromDomainList',
  async run({ caller, services, audit }, { listId, rules }): Promise<DomainListSubscription> {
    const list = listOf(services, listId);
    const message = Instance.unsubscribeFromDomainList.to(instanceKey, { listId, rules, audit });
    await services.client.call(message, flowOf(caller));
    return list;
  },
});

/** Begins a reading. `mayShrink`: also where the list has lost most of its domains. */
export const readDomainListNow = operation({
  input: ofOne.extend({ mayShrink: z.boolean().optional() }),
  permission: 'manageFederation',
  audit: 'readDomainList',
  run({ caller, services, audit }, { listId, mayShrink = false }): Promise<DomainListSubscription> {
    const message = Instance.readDomainListNow.to(instanceKey, { listId, mayShrink, audit });
    return services.client.call(message, flowOf(caller));
  },
});

/** What a list would change: a subscribed one, also under other settings, or another. Nothing is changed. */
export const tryDomainList = operation({
  input: z.object({ listId: z.coerce.bigint().optional(), ...settings }),
  permission: 'manageFederation',
  audit: reads,
  async run({ services }, { listId, ...given }): Promise<TriedList> {
    const known = listId === undefined ? usual : settingsOf(listOf(services, listId));
    const checked = checkedSettings(services, known, given);
    return services.domainLists.try({ listId, settings: checked });
  },
});

function listOf({ snapshots }: Pick<Services, 'snapshots'>, listId: Id): DomainListSubscription {
  const list = findDomainList(snapshots, listId);
  if (list === undefined) throw new Failure('notFound');
  return list;
}

function settingsOf(list: DomainListSubscription): DomainListSettings {
  const { title, url, form, mode, severityMax, followsRetractions, obfuscates, takesComments, followsMax, hours } =
    list;
  return { title, url, form, mode, severityMax, followsRetractions, obfuscates, takesComments, followsMax, hours };
}

/** Throws FieldsRefused. Without a title, it is that of the host. */
function checkedSettings(
  { addresses, options }: Pick<Services, 'addresses' | 'options'>,
  before: Omit<DomainListSettings, 'title' | 'url'> & Partial<DomainListSettings>,
  given: GivenSettings,
): DomainListSettings {
  const { title = '', url = '', ...others } = Object.assign({}, before, withoutUndefined(given));
  const { federationAllowPrivate: allowPrivate, federationAllowHttp: allowHttp } = options;
  const policy = { allowPrivate, allowHttp, isRefusedHost: (host: string) => addresses.isOwnHost(host) };
  const target = parseRemoteUrl(url, policy);
  if (!target.ok) throw new FieldsRefused({ url: [{ kind: 'invalid', words: `is invalid: ${target.detail}` }] });
  const titleMax = instanceLimits.domainListTitleCharactersMax;
  if (title.length > titleMax) throw new FieldsRefused({ title: [tooLong(titleMax)] });
  return { ...others, title: title || target.url.host, url: target.url.href };
}
