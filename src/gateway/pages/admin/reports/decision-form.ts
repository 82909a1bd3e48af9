/** The form that decides about a reported account, or about the posts of the report. */
import { notificationLimits } from '../../../../actors/account/notifications/limits.ts';
import type { WarningAction } from '../../../../actors/account/notifications/notifications.records.ts';
import type { Profile } from '../../../../actors/account/profile/profile.records.ts';
import type { Report } from '../../../../actors/account/reports/reports.records.ts';
import { disableAccount } from '../../../../operations/administration/disable-account.ts';
import { limitAccount } from '../../../../operations/administration/limit-account.ts';
import { markAccountSensitive } from '../../../../operations/administration/mark-account-sensitive.ts';
import { suspendAccount } from '../../../../operations/administration/suspend-account.ts';
import { warnAccount } from '../../../../operations/administration/warn-account.ts';
import type { StaffPermission } from '../../../../operations/permissions.ts';
import { deleteReportedStatuses, markReportedSensitive } from '../../../../operations/reports/act-on-statuses.ts';
import type { Id } from '../../../../runtime/ids.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { formField } from '../../../oauth/forms.ts';
import { checkbox, formHead, radios } from '../parts.ts';
import { mayDo } from '../sections.ts';
import type { StaffVisit } from '../visitor.ts';
import { keyed } from './report-keys.ts';

export interface DecisionDraft {
  readonly action: WarningAction | undefined;
  readonly text: string;
  readonly tells: boolean;
  /** What is wrong with the text, as a sentence. */
  readonly problem?: string | undefined;
}

interface Told {
  readonly account: Id;
  readonly reportId: Id;
  readonly text: string;
  readonly tells: boolean;
}

interface DecisionKind {
  readonly permission: StaffPermission;
  readonly isForRemote: boolean;
  readonly needsPosts: boolean;
  decide(visit: StaffVisit, told: Told): Promise<void>;
}

const ofAccount = { isForRemote: true, needsPosts: false } as const;
const ofPosts = { isForRemote: true, needsPosts: true } as const;

/** The mildest first. */
export const decisions: Readonly<Record<WarningAction, DecisionKind>> = {
  none: { ...ofAccount, isForRemote: false, permission: warnAccount.permission, decide: warnAccount },
  mark_statuses_as_sensitive: {
    ...{ ...ofPosts, permission: markReportedSensitive.permission, decide: markReportedSensitive },
  },
  delete_statuses: { ...ofPosts, permission: deleteReportedStatuses.permission, decide: deleteReportedStatuses },
  sensitive: { ...ofAccount, permission: markAccountSensitive.permission, decide: markAccountSensitive },
  disable: { ...ofAccount, isForRemote: false, permission: disableAccount.permission, decide: disableAccount },
  silence: { ...ofAccount, permission: limitAccount.permission, decide: limitAccount },
  suspend: { ...ofAccount, permission: suspendAccount.permission, decide: suspendAccount },
};

/** What the visitor may decide about this report. */
export function offeredDecisions(visit: StaffVisit, { statusIds }: Report, target: Profile): WarningAction[] {
  const all = Object.entries(decisions) as [WarningAction, DecisionKind][];
  return all.flatMap(([action, { permission, isForRemote, needsPosts }]) => {
    const isPossible = (isForRemote || target.remote === undefined) && (!needsPosts || statusIds.length > 0);
    return isPossible && mayDo(visit, permission) ? action : [];
  });
}

const empty: DecisionDraft = { action: undefined, text: '', tells: true };

export function decisionForm(visit: StaffVisit, report: Report, target: Profile, draft = empty): Html {
  const words = visit.words.staff.reports;
  const limit = notificationLimits.warningCharactersMax;
  const offered = offeredDecisions(visit, report, target);
  return html`<form class="card plain settings" id="decide" method="post" action="/web/admin/reports/${report.id}/act">
<h2>${words.decide}</h2>
<p>${words.decideHint}</p>
${formHead(visit)}
${radios(words.whatToDo, 'action', offered, words.actions, draft.action, words.actionHints)}
${formField({
  name: 'text',
  label: words.text,
  hint: words.textHint({ limit }),
  problem: draft.problem,
  control: (described) =>
    html`<textarea name="text" dir="auto" rows="4"${described}${keyed('decide')}>${draft.text}</textarea>`,
})}
${target.remote === undefined && checkbox('tells', draft.tells, words.tells, words.tellsHint)}
<button type="submit">${words.act}</button>
</form>`;
}
