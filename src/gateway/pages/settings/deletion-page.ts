/** /settings/delete: the owner of an account deletes it, or, signed in before the delay is over, keeps it. */
import type { LocalAccount } from '../../../actors/account/profile/logins.queries.ts';
import { deleteOwnAccount, keepOwnAccount } from '../../../operations/leaving/delete-account.ts';
import { asFailure } from '../../../runtime/errors.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { statusOf } from '../../http/failures.ts';
import { alert, hidden } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { failureSentence } from '../failure-sentence.ts';
import { barredPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { deletionPath, pathOfBarred } from '../parts/links.ts';
import { ownerFields, ownerForm, proofIn } from '../parts/owner-fields.ts';
import { passkeyScript } from '../parts/passkeys.ts';
import { formRoute } from '../signed-in-form.ts';
import { anonymousVisit, type MemberVisit, memberOf, type Visit } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

export const deletionPage = barredPage((visit, account, context) => {
  const member = memberOf(visit);
  if (member !== undefined) return deletionAnswer(member, context);
  return account.login.deletesAt === undefined ? redirect(pathOfBarred(account), 303) : waitingAnswer(visit, account);
});

async function deletionAnswer(
  visit: MemberVisit,
  context: RawContext<GatewayServices>,
  refused?: string,
): Promise<Answer> {
  const { words, services, account } = visit;
  const { title, introduction, name, delay, atOnce, delete: deleteIt } = words.leaving.deletion;
  const { deletionDays } = services.options;
  const form = await ownerForm(visit, context);
  const handle = `@${account.profile.username}@${services.addresses.domain}`;
  const main = html`${settingsHead(visit, title)}
<form class="card plain settings" method="post" action="/web/settings/delete">
<p>${introduction}</p>
<p>${name({ account: handle })}</p>
<p>${deletionDays === 0 ? atOnce : delay({ count: deletionDays })}</p>
${alert(refused)}
${ownerFields(form, 'delete')}
<button type="submit" class="danger">${deleteIt}</button>
${form.passkeyButton}
</form>`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, {
    title,
    main,
    status,
    current: 'settings',
    isIndexed: false,
    head: form.asked && passkeyScript,
  });
}

function waitingAnswer(visit: Visit, { profile, login: { deletesAt = 0 } }: LocalAccount): Answer {
  const { waiting, waitingUntil, keep } = visit.words.leaving.deletion;
  const account = `@${profile.username}@${visit.services.addresses.domain}`;
  return plainAnswer(
    visit,
    waiting,
    html`<form class="card plain settings" method="post" action="/web/settings/delete/keep">
<p>${waitingUntil({ account, time: visit.words.formats.exactTime(deletesAt) })}</p>
${hidden('form_token', visit.formToken)}
<p class="line"><button type="submit">${keep}</button> <a class="button quiet" href="/auth/sign_out">${visit.words.signing.signOut}</a></p>
</form>`,
  );
}

function plainAnswer(visit: Visit, title: string, content: Html): Answer {
  const main = html`<h1 class="list">${title}</h1>
${content}`;
  return siteAnswer(visit, { title, main, current: 'settings', isIndexed: false, alone: true });
}

export const deletionForms: readonly RawRoute<GatewayServices>[] = [
  formRoute(
    '/web/settings/delete',
    async (form, context) => {
      const { visit, services, fields } = form;
      try {
        await deleteOwnAccount(form, proofIn(fields, context));
      } catch (error) {
        const failure = asFailure(error);
        const isAnswered = statusOf(failure) === 401 || failure.reason === 'onlyOwner';
        if (!isAnswered) throw failure;
        return deletionAnswer(visit, context, failureSentence(visit.words, failure));
      }
      if (services.options.deletionDays > 0) return redirect(deletionPath, 303);
      const { deleted, goodbye } = visit.words.leaving.deletion;
      const stranger = { ...anonymousVisit(visit), words: visit.words };
      return plainAnswer(stranger, deleted, html`<p class="card plain">${goodbye}</p>`);
    },
    { admitsMoved: true },
  ),
  formRoute(
    '/web/settings/delete/keep',
    async (form) => {
      await keepOwnAccount(form, {});
      return redirect('/settings?done=kept', 303);
    },
    { admitsMoved: true, admitsBarred: true },
  ),
];
