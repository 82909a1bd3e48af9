/** The fields of a subscription to a blocklist. */
import type { DomainListSettings } from '../../../../actors/instance/domain-lists/domain-lists.records.ts';
import { instanceLimits } from '../../../../actors/instance/limits.ts';
import { type DomainSeverity, domainSeverities } from '../../../../actors/policy/domains.ts';
import { type ListForm, type ListMode, listForms, listModes } from '../../../../actors/policy/listed-domains.ts';
import { Failure } from '../../../../runtime/errors.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { type Fields, formField } from '../../../oauth/forms.ts';
import { problemSentence } from '../../failure-sentence.ts';
import type { Refused } from '../../refused.ts';
import { checkbox, radios } from '../parts.ts';
import type { StaffVisit } from '../visitor.ts';

/** As typed. */
export interface SubscriptionDraft {
  readonly title: string;
  readonly url: string;
  readonly form: ListForm;
  readonly mode: ListMode;
  readonly severityMax: DomainSeverity;
  readonly followsRetractions: boolean;
  readonly obfuscates: boolean;
  readonly takesComments: boolean;
  readonly followsMax: string;
  readonly hours: string;
}

export const newSubscription: SubscriptionDraft = {
  ...{ title: '', url: '', form: 'csv', mode: 'suggest', severityMax: 'suspend' },
  ...{ followsRetractions: true, obfuscates: false, takesComments: true, followsMax: '0', hours: '24' },
};

export function subscriptionDraft({ followsMax, hours, ...list }: DomainListSettings): SubscriptionDraft {
  return { ...list, followsMax: String(followsMax), hours: String(hours) };
}

/** Throws Failure badRequest for a form without one of its choices. */
export function subscriptionIn(fields: Fields): SubscriptionDraft {
  const isOn = (name: string) => fields.get(name) !== undefined;
  const form = listForms.find((one) => one === fields.get('form'));
  const mode = listModes.find((one) => one === fields.get('mode'));
  const severityMax = domainSeverities.find((one) => one === fields.get('severity_max'));
  if (form === undefined || mode === undefined || severityMax === undefined) throw new Failure('badRequest');
  return {
    title: fields.get('title') ?? '',
    url: fields.get('url') ?? '',
    form,
    mode,
    severityMax,
    followsRetractions: isOn('follows_retractions'),
    obfuscates: isOn('obfuscates'),
    takesComments: isOn('takes_comments'),
    followsMax: fields.get('follows_max') ?? '',
    hours: fields.get('hours') ?? '',
  };
}

/** For the operations, which refuse what is no number. */
export function settingsOf({ followsMax, hours, ...draft }: SubscriptionDraft) {
  return { ...draft, followsMax: numberOf(followsMax), hours: numberOf(hours) };
}

function numberOf(typed: string): number {
  return /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
}

export function subscriptionFields(
  { words }: StaffVisit,
  { draft, problems }: Pick<Refused<SubscriptionDraft>, 'draft' | 'problems'>,
): Html {
  const { blocklists, servers } = words;
  const { domainListFollowsMax, domainListHoursMin, domainListHoursMax, domainListTitleCharactersMax } = instanceLimits;
  const field = (name: keyof SubscriptionDraft, label: string, hint: string | undefined, input: Html) =>
    formField({
      ...{ name, label, problem: problemSentence(words, problems[name]), ...(hint !== undefined && { hint }) },
      control: (described) => html`<input ${input}${described}>`,
    });
  return html`${field('url', blocklists.url, blocklists.urlHint, html`name="url" type="url" dir="ltr" required maxlength="${instanceLimits.domainListUrlCharactersMax}" value="${draft.url}"`)}
${field('title', blocklists.listTitle, blocklists.listTitleHint, html`name="title" dir="auto" maxlength="${domainListTitleCharactersMax}" value="${draft.title}"`)}
${radios(blocklists.form, 'form', listForms, blocklists.forms, draft.form)}
${radios(blocklists.mode, 'mode', listModes, blocklists.modes, draft.mode, blocklists.modeHints)}
${radios(blocklists.severityMax, 'severity_max', domainSeverities, servers.severities, draft.severityMax, blocklists.severityMaxHints)}
${field('followsMax', blocklists.followsMax, blocklists.followsMaxHint, html`name="follows_max" type="number" min="0" max="${domainListFollowsMax}" required value="${draft.followsMax}"`)}
${field('hours', blocklists.hours, undefined, html`name="hours" type="number" min="${domainListHoursMin}" max="${domainListHoursMax}" required value="${draft.hours}"`)}
${checkbox('follows_retractions', draft.followsRetractions, blocklists.followsRetractions)}
${checkbox('obfuscates', draft.obfuscates, blocklists.obfuscates)}
${checkbox('takes_comments', draft.takesComments, blocklists.takesComments)}`;
}
