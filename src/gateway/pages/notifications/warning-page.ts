/**
 * /disputes/strikes: the warnings that the visitor got, which stay when their notifications go. /disputes/strikes/:id is
 * one of them: clients show what was done, and link here for the text and an appeal (behaviour of the Mastodon API). Both
 * are open to accounts that are disabled or suspended.
 */
import type { StoredWarning } from '../../../actors/account/moderation/warnings.queries.ts';
import { notificationLimits } from '../../../actors/account/notifications/limits.ts';
import type { LocalAccount } from '../../../actors/account/profile/logins.queries.ts';
import { stateOfAppeal } from '../../../actors/policy/appeals.ts';
import type { AccountCaller } from '../../../operations/caller.ts';
import type { OperationContext } from '../../../operations/operation.ts';
import { type FieldProblems, FieldsRefused } from '../../../operations/refused-fields.ts';
import { appealStrike, isAppealable, listOwnStrikes, showOwnStrike } from '../../../operations/strikes/own-strikes.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { formField, hidden } from '../../oauth/forms.ts';
import { accountContext } from '../../oauth/own-form.ts';
import { problemSentence } from '../failure-sentence.ts';
import { webLimits } from '../limits.ts';
import { barredPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { strikesPath } from '../parts/links.ts';
import { warningEntry } from '../parts/notification.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, olderThanOf, type Visit } from '../visit.ts';

export const warningPage = barredPage((visit, account, context) =>
  strikeAnswer(visit, showOwnStrike(asOwner(context, account), { strikeId: idInPath(context) })),
);

export const warningsPage = barredPage((visit, account, context) => {
  const bounds = { maxId: olderThanOf(context.request), limit: webLimits.pageStatuses };
  const { items, full, oldest } = listOwnStrikes(asOwner(context, account), bounds);
  const { title, none, more } = visit.words.notifications.warnings;
  const list = html`<ol class="timeline" aria-label="${title}">${items.map((warning) => linkedEntry(visit, warning))}</ol>`;
  const main = html`<h1 class="list">${title}</h1>
${items.length > 0 ? list : html`<div class="empty"><p>${none}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${more}</a></nav>`}`;
  return answerOf(visit, title, main);
});

export const appealForm = formRoute(
  '/web/strikes/:id/appeal',
  async (form, context) => {
    const strikeId = idInPath(context);
    const text = form.fields.get('text') ?? '';
    try {
      await appealStrike(form, { strikeId, text });
      return redirect(`${strikesPath}/${strikeId}`, 303);
    } catch (error) {
      if (!(error instanceof FieldsRefused)) throw error;
      const visit = { ...form.visit, account: form.visit.barred === undefined ? form.account : undefined };
      return strikeAnswer(visit, showOwnStrike(form, { strikeId }), { text, problems: error.problems });
    }
  },
  { admitsMoved: true, admitsBarred: true },
);

function asOwner(context: RawContext<GatewayServices>, { id }: LocalAccount): OperationContext<AccountCaller> {
  return accountContext(context, id);
}

interface Draft {
  readonly text: string;
  readonly problems: FieldProblems;
}

function strikeAnswer(visit: Visit, strike: StoredWarning, draft?: Draft): Answer {
  const { one: title, state } = visit.words.notifications.warnings;
  const { appeal } = strike;
  const main = html`<h1 class="list">${title}</h1>
<ol class="timeline" aria-label="${title}">${warningEntry(visit, strike, false)}</ol>
${
  appeal !== undefined &&
  html`<section class="card plain"><h2>${visit.words.notifications.warnings.appeal}</h2>
<p role="status">${state[stateOfAppeal(appeal)]}</p>
<p class="quoted plain-text" dir="auto">${appeal.text}</p></section>`
}
${isAppealable(strike, visit.now) && appealFields(visit, strike.id, draft)}`;
  return answerOf(visit, title, main, draft === undefined ? 200 : 422);
}

function appealFields(visit: Visit, strikeId: Id, draft: Draft | undefined): Html {
  const { appeal, appealHint, appealText, sendAppeal } = visit.words.notifications.warnings;
  const { appealCharactersMax } = notificationLimits;
  return html`<form class="card plain settings" method="post" action="/web/strikes/${strikeId}/appeal"><h2>${appeal}</h2>
<p>${appealHint}</p>
${hidden('form_token', visit.formToken)}
${formField({
  name: 'text',
  label: appealText,
  problem: problemSentence(visit.words, draft?.problems.text),
  control: (described) =>
    html`<textarea name="text" dir="auto" rows="6" maxlength="${appealCharactersMax}" required${described}>${draft?.text ?? ''}</textarea>`,
})}
<button type="submit">${sendAppeal}</button>
</form>`;
}

function linkedEntry(visit: Visit, strike: StoredWarning): Html {
  const { details } = visit.words.notifications.warnings;
  return html`${warningEntry(visit, strike, false)}
<li class="entry"><p><a href="${strikesPath}/${strike.id}">${details}</a></p></li>`;
}

/** Who may see nothing else is told so, and can sign out. */
function answerOf(visit: Visit, title: string, content: Html, status = 200): Answer {
  const { notifications, signing } = visit.words;
  const main =
    visit.barred === undefined
      ? content
      : html`<section class="card plain"><p>${notifications.warnings.barred}</p><p><a href="/auth/sign_out">${signing.signOut}</a></p></section>
${content}`;
  return siteAnswer(visit, { title, main, current: 'notifications', isIndexed: false, status });
}
