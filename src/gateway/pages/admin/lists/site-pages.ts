/** /admin/rules and /admin/announcements: what staff keep for the people of this server. */
import type { StoredAnnouncement } from '../../../../actors/instance/announcements/announcements.queries.ts';
import { instanceLimits } from '../../../../actors/instance/limits.ts';
import {
  allAnnouncements,
  changeAnnouncement,
  mailAnnouncement,
  publishAnnouncement,
  withdrawAnnouncement,
} from '../../../../operations/administration/announcements.ts';
import { addRule, changeRule, listRules, removeRule } from '../../../../operations/administration/server-rules.ts';
import type { EffectiveSettings } from '../../../../operations/instance/settings.ts';
import { Failure, validationFailure } from '../../../../runtime/errors.ts';
import { html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { redirect } from '../../../http/answers.ts';
import { hidden } from '../../../oauth/forms.ts';
import type { RawRoute } from '../../../route.ts';
import { type ChosenMoment, chosenMoment, momentField } from '../../parts/moment.ts';
import { storedHtml } from '../../parts/stored.ts';
import { fullTime, timeAgo } from '../../parts/time.ts';
import type { Refused } from '../../refused.ts';
import { idInPath } from '../../visit.ts';
import { actButton, askingButton, checkbox, formHead, perform, refusedAlert } from '../parts.ts';
import { mayDo } from '../sections.ts';
import { staffForm } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { listedRoutes } from './listed-page.ts';
import { textField } from './text-field.ts';

type Rule = EffectiveSettings['rules'][number];

interface RuleDraft {
  readonly text: string;
  readonly hint: string;
  /** Of a translation, as typed. Undefined for the rule itself. */
  readonly language: string | undefined;
}

function translationsOf({ words: { keeping } }: StaffVisit, { translations = {} }: Rule) {
  const languages = Object.entries(translations);
  if (languages.length === 0) return undefined;
  return html`<section class="card plain"><h2>${keeping.rules.translations}</h2><ul class="rows">${languages.map(
    ([language, { text, hint }]) =>
      html`<li><p><span class="badge" lang="en">${language}</span> <span dir="auto" lang="${language}">${text}</span>${hint !== '' && html`<span class="fine" dir="auto" lang="${language}">${hint}</span>`}</p></li>`,
  )}</ul></section>`;
}

const limit = instanceLimits.ruleCharactersMax;

const rules = listedRoutes({
  section: 'rules',
  address: '/admin/rules',
  words: ({ keeping }) => keeping.rules,
  list: (visit) => ({ items: listRules(visit, {}) }),
  row: (
    { words: { keeping } },
    { id, text, hint, translations = {} }: Rule,
  ) => html`<div class="line row"><a class="what" href="/admin/rules/${id}" dir="auto">${text}</a>${askingButton(`/web/admin/rules/${id}/remove`, keeping.rules.removeMore, keeping.rules.removeHint, keeping.rules.remove)}</div>
${hint !== '' && html`<p dir="auto">${hint}</p>`}
${Object.keys(translations).length > 0 && html`<p class="fine">${keeping.rules.translated({ count: Object.keys(translations).length })}</p>`}`,
  empty: { text: '', hint: '', language: undefined } as RuleDraft,
  fields: (
    { words: { keeping } },
    { text, hint },
  ) => html`${textField({ name: 'text', label: keeping.rules.text, value: text, limit, rows: 2, isRequired: true })}
${textField({ name: 'hint', label: keeping.rules.hintLabel, hint: keeping.rules.hintHint, value: hint, limit, rows: 2 })}`,
  draftIn: (fields) => ({
    text: fields.get('text') ?? '',
    hint: fields.get('hint') ?? '',
    // Without a language it is a translation still, and not the rule.
    language: fields.get('language') ?? (fields.get('translation') === undefined ? undefined : ''),
  }),
  add: (form, { text, hint }) => perform(form, addRule, { text, hint }),
  added: 'ruleAdded',
  change: {
    find: ruleWithId,
    draftOf: ({ text, hint }) => ({ text, hint, language: undefined }),
    words: ({ keeping }) => ({ title: keeping.rules.change, button: keeping.rules.save }),
    apply: (form, id, { text, hint, language }) =>
      perform(form, changeRule, { id, text, hint, ...(language !== undefined && { language }) }),
    changed: 'ruleChanged',
    more: (visit, rule, refused) => html`${translationsOf(visit, rule)}${translationForm(visit, rule, refused)}`,
    isOfMore: ({ language }) => language !== undefined,
  },
  removal: { remove: ({ visit }, id) => removeRule(visit, { id }), removed: 'ruleRemoved' },
});

function ruleWithId(visit: StaffVisit, id: string): Rule {
  const found = listRules(visit, {}).find((rule) => rule.id === id);
  if (found === undefined) throw new Failure('notFound');
  return found;
}

function translationForm(visit: StaffVisit, { id }: Rule, refused: Refused<RuleDraft> | undefined) {
  const { text = '', hint = '', language = '' } = refused?.draft ?? {};
  const words = visit.words.keeping.rules;
  return html`<form class="card plain settings" method="post" action="/web/admin/rules/${id}">
<h2>${words.translate}</h2>
<p>${words.translateHint}</p>
${refusedAlert(visit, refused)}
${formHead(visit, refused)}${hidden('translation', '1')}
${textField({ name: 'language', label: words.language, hint: words.languageHint, value: language, isCode: true, isRequired: true })}
${textField({ name: 'text', label: words.text, value: text, limit, rows: 2 })}
${textField({ name: 'hint', label: words.hintLabel, value: hint, limit, rows: 2 })}
<button type="submit">${words.translateButton}</button></form>`;
}

interface AnnouncementDraft {
  readonly text: string;
  readonly startsAt: ChosenMoment | undefined;
  readonly endsAt: ChosenMoment | undefined;
  readonly allDay: boolean;
}

const momentOf = (at: number | undefined): ChosenMoment | undefined =>
  at === undefined ? undefined : { typed: '', at };

function timesOf({ startsAt, endsAt }: AnnouncementDraft) {
  const isWrong = [startsAt, endsAt].some((moment) => moment !== undefined && moment.at === undefined);
  if (isWrong) throw validationFailure('This is not a time.');
  return { startsAt: startsAt?.at, endsAt: endsAt?.at };
}

function mayMail(visit: StaffVisit): boolean {
  return visit.services.mail.isOn && mayDo(visit, mailAnnouncement.permission);
}

const mailForm = staffForm(
  '/web/admin/announcements/:id/mail',
  mailAnnouncement.permission,
  async ({ visit }, context) => {
    await mailAnnouncement(visit, { announcementId: idInPath(context) });
    return redirect('/admin/announcements?done=announcementMailed', 303);
  },
);

const announcements = listedRoutes({
  section: 'announcements',
  address: '/admin/announcements',
  words: ({ keeping }) => keeping.announcements,
  list: (visit) => ({ items: [...allAnnouncements(visit, {})].reverse() }),
  row(visit, { id, announcement }: StoredAnnouncement) {
    const words = visit.words.keeping.announcements;
    const { startsAt, endsAt, publishedAt, mailedAt } = announcement;
    return html`<div class="content" dir="auto">${storedHtml(visit, announcement.html)}</div>
<p class="fine">${timeAgo(visit, publishedAt)}${startsAt !== undefined && html` · ${words.from({ time: fullTime(visit, startsAt) })}`}${endsAt !== undefined && html` · ${words.until({ time: fullTime(visit, endsAt) })}`}${mailedAt !== undefined && html` · ${words.mailed({ time: timeAgo(visit, mailedAt) })}`}</p>
<div class="line row"><a class="button quiet" href="/admin/announcements/${id}">${words.edit}</a>${actButton(`/web/admin/announcements/${id}/remove`, words.withdraw)}${mailedAt === undefined && mayMail(visit) && askingButton(`/web/admin/announcements/${id}/mail`, words.mail, words.mailQuestion, words.mailNow)}</div>`;
  },
  empty: { text: '', startsAt: undefined, endsAt: undefined, allDay: false } as AnnouncementDraft,
  fields(visit, draft) {
    const words = visit.words.keeping.announcements;
    return html`${textField({ name: 'text', label: words.text, hint: words.textHint, value: draft.text, limit: instanceLimits.announcementCharactersMax, rows: 4, isRequired: true })}
${momentField(visit, { id: 'starts', name: 'starts_at', label: words.startsAt, moment: draft.startsAt, problem: undefined })}
${momentField(visit, { id: 'ends', name: 'ends_at', label: words.endsAt, moment: draft.endsAt, problem: undefined })}
${checkbox('all_day', draft.allDay, words.allDay, words.allDayHint)}`;
  },
  draftIn: (fields) => ({
    text: fields.get('text') ?? '',
    startsAt: chosenMoment(fields, 'starts_at'),
    endsAt: chosenMoment(fields, 'ends_at'),
    allDay: fields.get('all_day') !== undefined,
  }),
  add: async (form, draft) =>
    perform(form, publishAnnouncement, { text: draft.text, allDay: draft.allDay, ...timesOf(draft) }),
  added: 'announced',
  change: {
    find(visit, given) {
      const found = allAnnouncements(visit, {}).find(({ id }) => id.toString() === given);
      if (found === undefined) throw new Failure('notFound');
      return found;
    },
    draftOf: ({ announcement: { text, startsAt, endsAt, allDay } }) => ({
      ...{ text, allDay, startsAt: momentOf(startsAt), endsAt: momentOf(endsAt) },
    }),
    words: ({ keeping }) => ({ title: keeping.announcements.change, button: keeping.announcements.save }),
    async apply(form, announcementId, draft) {
      const { startsAt = null, endsAt = null } = timesOf(draft);
      await perform(form, changeAnnouncement, {
        announcementId,
        text: draft.text,
        allDay: draft.allDay,
        startsAt,
        endsAt,
      });
    },
    changed: 'announcementChanged',
  },
  removal: {
    remove: (form, announcementId) => perform(form, withdrawAnnouncement, { announcementId }),
    removed: 'withdrawn',
  },
});

export const siteListRoutes: readonly RawRoute<GatewayServices>[] = [...rules, ...announcements, mailForm];
