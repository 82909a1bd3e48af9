/** /admin/settings: what the server says of itself, who may sign up, and what is public about it. */
import { findProfile } from '../../../actors/account/remote/federation.queries.ts';
import {
  type audiences,
  type InvitationMode,
  invitationModes,
  registrationModes,
} from '../../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import {
  type FeedAccess,
  feedAccesses,
  type OwnTopicAccess,
  ownTopicAccesses,
} from '../../../actors/policy/feed-access.ts';
import { changeSettings } from '../../../operations/administration/change-settings.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { optionLimits } from '../../../options/limits.ts';
import { asFailure, validationFailure } from '../../../runtime/errors.ts';
import { html } from '../../../services/words/html.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { type Fields, formField } from '../../oauth/forms.ts';
import { pageRoute } from '../page-handler.ts';
import type { Refused } from '../refused.ts';
import { selectField, textField } from './lists/text-field.ts';
import { checkbox, formHead, perform, radios, refusedAlert, refusedForm } from './parts.ts';
import { settingsTabs } from './settings-tabs.ts';
import { doneOf, staffAnswer } from './staff-frame.ts';
import { staffForm, staffPage } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

type Audience = (typeof audiences)[number];

interface SettingsDraft {
  readonly title: string;
  readonly description: string;
  readonly contact: string;
  readonly registrations: (typeof registrationModes)[number];
  readonly invitations: InvitationMode;
  readonly trends: boolean;
  readonly trendableByDefault: boolean;
  readonly reasonRequired: boolean;
  readonly publishPeers: boolean;
  readonly publishActivity: boolean;
  readonly domainBlocksFor: Audience;
  readonly domainBlockReasonsFor: Audience;
  readonly remoteStatusDays: number;
  readonly emailSubscriptions: boolean;
  readonly localLiveFeeds: FeedAccess;
  readonly remoteLiveFeeds: FeedAccess;
  readonly localTopicFeeds: OwnTopicAccess;
  readonly remoteTopicFeeds: FeedAccess;
}

const feedFields = ['localLiveFeeds', 'remoteLiveFeeds', 'localTopicFeeds', 'remoteTopicFeeds'] as const;
type FeedField = (typeof feedFields)[number];

/** What can be chosen for a timeline. */
const accessesOf = (field: FeedField): readonly FeedAccess[] =>
  field === 'localTopicFeeds' ? ownTopicAccesses : feedAccesses;

function accessWords({ words }: StaffVisit, field: FeedField): Readonly<Record<string, string>> {
  const { feedAccesses: said } = words.keeping.settings;
  return Object.fromEntries(accessesOf(field).map((access) => [access, said[access]]));
}

const address = '/admin/settings';

const page = staffPage('manageSettings', (visit, { request }) =>
  settingsAnswer(visit, { done: doneOf(visit, request) }),
);

function presentOf({ services }: StaffVisit): SettingsDraft {
  const settings = settingsOf(services);
  const { contactAccountId } = settings;
  const contact = contactAccountId === undefined ? undefined : findProfile(services.snapshots, contactAccountId);
  return { ...settings, contact: contact?.username ?? '' };
}

interface State {
  readonly done?: string | undefined;
  readonly refused?: Refused<SettingsDraft>;
}

function settingsAnswer(visit: StaffVisit, { done, refused }: State): Answer {
  const words = visit.words.keeping.settings;
  const draft = refused?.draft ?? presentOf(visit);
  const { titleCharactersMax, descriptionCharactersMax } = instanceLimits;
  const main = html`${settingsTabs(visit, 'settings')}
<form class="card plain settings" method="post" action="/web/admin/settings">
${refusedAlert(visit, refused)}
${formHead(visit, refused)}
${textField({ name: 'title', label: words.title, value: draft.title, limit: titleCharactersMax, isRequired: true })}
${textField({ name: 'description', label: words.description, hint: words.descriptionHint, value: draft.description, limit: descriptionCharactersMax, rows: 4 })}
${textField({ name: 'contact', label: words.contact, hint: words.contactHint, value: draft.contact, isCode: true })}
${radios(words.registrations, 'registrations', registrationModes, words.modes, draft.registrations, words.modeHints)}
${radios(words.invitations, 'invitations', invitationModes, words.invitationModes, draft.invitations, words.invitationHints)}
${checkbox('reason', draft.reasonRequired, words.reason, words.reasonHint)}
<h2>${words.discovery}</h2>
${checkbox('trends', draft.trends, words.trends, words.trendsHint)}
${checkbox('trendable', draft.trendableByDefault, words.trendable, words.trendableHint)}
<h2>${words.public}</h2>
${checkbox('peers', draft.publishPeers, words.peers)}
${checkbox('activity', draft.publishActivity, words.activity)}
${selectField('blocks_for', words.blocksFor, words.audiences, draft.domainBlocksFor)}
${selectField('reasons_for', words.reasonsFor, words.audiences, draft.domainBlockReasonsFor)}
${checkbox('email_subscriptions', draft.emailSubscriptions, words.emailSubscriptions, words.emailSubscriptionsHint)}
<h2>${words.feeds}</h2>
${feedFields.map((name) => selectField(name, words[name], accessWords(visit, name), draft[name]))}
<h2>${words.kept}</h2>
${formField({
  name: 'remote_days',
  label: words.remoteDays,
  hint: words.remoteDaysHint,
  control: (described) =>
    html`<input name="remote_days" type="number" min="0" max="${optionLimits.remoteStatusDaysMax}" required value="${draft.remoteStatusDays}"${described}>`,
})}
<button type="submit">${words.save}</button>
</form>`;
  const isRefused = refused !== undefined;
  const isLate = refused?.isLate;
  return staffAnswer(visit, { section: 'settings', title: words.heading, main, done, isRefused, isLate });
}

function draftIn(fields: Fields, present: SettingsDraft): SettingsDraft {
  const isOn = (name: string) => fields.get(name) !== undefined;
  const audience = (name: string, before: Audience): Audience =>
    (['disabled', 'users', 'all'] as const).find((one) => one === fields.get(name)) ?? before;
  const access = <Access extends FeedAccess>(field: FeedField, accesses: readonly Access[], before: Access): Access =>
    accesses.find((one) => one === fields.get(field)) ?? before;
  return {
    title: fields.get('title') ?? '',
    description: fields.get('description') ?? '',
    contact: fields.get('contact') ?? '',
    registrations: registrationModes.find((one) => one === fields.get('registrations')) ?? present.registrations,
    invitations: invitationModes.find((one) => one === fields.get('invitations')) ?? present.invitations,
    reasonRequired: isOn('reason'),
    trends: isOn('trends'),
    trendableByDefault: isOn('trendable'),
    publishPeers: isOn('peers'),
    publishActivity: isOn('activity'),
    domainBlocksFor: audience('blocks_for', present.domainBlocksFor),
    domainBlockReasonsFor: audience('reasons_for', present.domainBlockReasonsFor),
    remoteStatusDays: daysIn(fields.get('remote_days')) ?? present.remoteStatusDays,
    emailSubscriptions: isOn('email_subscriptions'),
    localLiveFeeds: access('localLiveFeeds', feedAccesses, present.localLiveFeeds),
    remoteLiveFeeds: access('remoteLiveFeeds', feedAccesses, present.remoteLiveFeeds),
    localTopicFeeds: access('localTopicFeeds', ownTopicAccesses, present.localTopicFeeds),
    remoteTopicFeeds: access('remoteTopicFeeds', feedAccesses, present.remoteTopicFeeds),
  };
}

function daysIn(given: string | undefined): number | undefined {
  return given !== undefined && /^\d+$/.test(given) ? Number(given) : undefined;
}

const form = staffForm('/web/admin/settings', 'manageSettings', async (given) => {
  const { visit } = given;
  const present = presentOf(visit);
  const draft = draftIn(given.fields, present);
  const { contact, remoteStatusDays: days, ...changes } = draft;
  // The option goes on to decide until somebody decides otherwise.
  const remoteStatusDays = days === present.remoteStatusDays ? undefined : days;
  try {
    await perform(given, changeSettings, { ...changes, remoteStatusDays, ...(contact !== '' && { contact }) });
  } catch (error) {
    const words = visit.words.keeping.settings;
    const isUnknown = asFailure(error).code === 'notFound';
    const known = isUnknown ? validationFailure('There is no such account.') : error;
    const refused = refusedForm(given, draft, known, isUnknown ? words.contactUnknown : words.refused);
    return settingsAnswer(visit, { refused });
  }
  return redirect(`${address}?done=settings`, 303);
});

export const siteSettingsRoutes = [pageRoute(address, page), form];
