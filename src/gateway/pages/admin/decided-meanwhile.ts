/** What somebody else has decided since the page of a form was made, as the audit log says: the form changes nothing then. */
import { findProfile } from '../../../actors/account/remote/federation.queries.ts';
import { auditPage, findAuditEntry, isAuditedSince, type StoredAuditEntry } from '../../../actors/audit.queries.ts';
import type { AuditAction, AuditChange } from '../../../actors/audit.records.ts';
import type { Failure } from '../../../runtime/errors.ts';
import { parseId } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Answer } from '../../http/answers.ts';
import { handleOf } from '../parts/links.ts';
import { staffAnswer } from './staff-frame.ts';
import type { StaffVisit } from './visitor.ts';

/** How many decisions are looked at for one about something that is gone. */
const lookedAtMax = 200;

/** Undefined where the failure has another reason. `targetId` is what the form was about: gone since, or done already. */
export function decidedSince(
  { services: { snapshots }, caller: { known } }: StaffVisit,
  { code, reason, details = {} }: Failure,
  targetId: string | undefined,
): StoredAuditEntry | undefined {
  if (reason === 'decidedMeanwhile') {
    const entryId = parseId(String(details.decision));
    return entryId === undefined ? undefined : findAuditEntry(snapshots, entryId);
  }
  if ((code !== 'notFound' && code !== 'validation') || targetId === undefined || known === undefined) return undefined;
  const { items } = auditPage(snapshots, {}, { limit: lookedAtMax });
  const isAbout = (entry: StoredAuditEntry) => entry.targetId === targetId || entry.name === targetId;
  return items.find((entry) => isAbout(entry) && isAuditedSince(snapshots, entry, known));
}

export function decisionSentence({ words, services }: StaffVisit, { accountId, action }: StoredAuditEntry): string {
  const by = accountId === undefined ? undefined : findProfile(services.snapshots, accountId);
  const actions: Readonly<Record<AuditAction, string>> = words.audit.actions;
  const name = by === undefined ? words.staff.commandLine : `@${handleOf(by)}`;
  return words.accounts.newer({ name, decision: actions[action] });
}

export function changesOf({ changes }: StoredAuditEntry): Html | undefined {
  const shown = changes.filter(({ before, after }) => before !== undefined || after !== '');
  if (shown.length === 0) return undefined;
  return html`<ul class="changes fine">${shown.map((change) => html`<li lang="en" dir="auto">${changeOf(change)}</li>`)}</ul>`;
}

/** In English: fields are named as they are stored. */
function changeOf({ field, before, after }: AuditChange): string {
  if (before === undefined) return after === undefined ? field : `${field}: ${after}`;
  return after === undefined ? `${field}: ${before} →` : `${field}: ${before} → ${after}`;
}

export function decidedAnswer(visit: StaffVisit, decision: StoredAuditEntry, returnTo: string): Answer {
  const { staff } = visit.words;
  const main = html`<section class="card plain"><p role="alert">${decisionSentence(visit, decision)}</p>
${changesOf(decision)}
<p><a class="button quiet" href="${returnTo === '/' ? '/admin' : returnTo}">${staff.lookAgain}</a></p></section>`;
  return staffAnswer(visit, { section: undefined, title: staff.decidedAlready, main, isLate: true });
}
