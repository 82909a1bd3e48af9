/** /settings/security/passkeys/:id: one passkey, to name it and to remove it. */
import { twoFactorLimits } from '../../../actors/account/two-factor/limits.ts';
import { passkeysOf } from '../../../actors/account/two-factor/two-factor.queries.ts';
import { addPasskey, removePasskey, renamePasskey } from '../../../operations/two-factor/manage-passkeys.ts';
import { asFailure, Failure } from '../../../runtime/errors.ts';
import { html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { statusOf } from '../../http/failures.ts';
import { alert, formField, hidden } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { refusalSentence } from '../failure-sentence.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { ownerFields, ownerForm, proofIn } from '../parts/owner-fields.ts';
import { passkeyScript } from '../parts/passkeys.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';
import { passkeyDetails } from './passkey-section.ts';
import { securityAnswer } from './security-page.ts';
import { settingsHead } from './settings-head.ts';

export const passkeyPage = memberPage((visit, context) => passkeyAnswer(visit, context));

/** Throws Failure notFound for any but the visitor's. */
async function passkeyAnswer(
  visit: MemberVisit,
  context: RawContext<GatewayServices>,
  refused?: { readonly form: 'rename' | 'remove'; readonly sentence: string },
): Promise<Answer> {
  const id = idInPath(context);
  const passkey = passkeysOf(visit.services.snapshots, visit.account.id).find((one) => one.id === id)?.passkey;
  if (passkey === undefined) throw new Failure('notFound');
  const words = visit.words.security.passkeys;
  const form = await ownerForm(visit, context);
  const main = html`${settingsHead(visit, html`<bdi>${passkey.name}</bdi>`)}
<form class="card plain settings" method="post" action="/web/security/passkeys/${id}/name">
<p>${passkeyDetails(visit, passkey)}</p>
${passkey.isBackedUp && html`<p>${words.isBackedUp}</p>`}
${alert(refused?.form === 'rename' ? refused.sentence : undefined)}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'name',
  label: words.name,
  control: (described) =>
    html`<input name="name" dir="auto" value="${passkey.name}" maxlength="${twoFactorLimits.passkeyNameCharactersMax}" required${described}>`,
})}
<button type="submit">${words.rename}</button>
</form>
<form class="card plain settings" id="remove" method="post" action="/web/security/passkeys/${id}/remove">
<h2>${words.removeTitle}</h2>
<p>${words.removeHint}</p>
${alert(refused?.form === 'remove' ? refused.sentence : undefined)}
${ownerFields(form, 'remove')}
<button type="submit">${words.remove}</button>
${form.passkeyButton}
</form>
<p><a href="/settings/security#passkeys">${words.back}</a></p>`;
  const status = refused === undefined ? 200 : 422;
  const { name: title } = passkey;
  return siteAnswer(visit, { title, main, status, current: 'settings', isIndexed: false, head: passkeyScript });
}

type Run = (form: SignedInForm, context: RawContext<GatewayServices>) => Promise<Answer>;

/** What is refused is said at the form. */
function passkeyForm(path: string, run: Run, refused: (...at: [...Parameters<Run>, string]) => Promise<Answer>) {
  return formRoute(
    path,
    async (form, context) => {
      try {
        return await run(form, context);
      } catch (error) {
        const failure = asFailure(error);
        if (statusOf(failure) !== 401 && failure.code !== 'validation') throw failure;
        return refused(form, context, refusalSentence(form.visit.words, failure));
      }
    },
    { admitsMoved: true },
  );
}

const nameIn = ({ fields }: SignedInForm) => fields.get('name') ?? '';

export const passkeyForms: readonly RawRoute<GatewayServices>[] = [
  passkeyForm(
    '/web/security/passkeys',
    async (form, context) => {
      const made = form.fields.get('made') ?? '';
      const wish = { ...proofIn(form.fields, context), name: nameIn(form), made };
      const { recoveryCodes } = await addPasskey(form, wish);
      return securityAnswer(form.visit, context, { recoveryCodes, done: form.visit.words.security.done.added });
    },
    (form, context, sentence) => securityAnswer(form.visit, context, { refused: { form: 'add', sentence } }),
  ),
  passkeyForm(
    '/web/security/passkeys/:id/name',
    async (form, context) => {
      await renamePasskey(form, { passkeyId: idInPath(context), name: nameIn(form) });
      return redirect('/settings/security?done=renamed', 303);
    },
    (form, context, sentence) => passkeyAnswer(form.visit, context, { form: 'rename', sentence }),
  ),
  passkeyForm(
    '/web/security/passkeys/:id/remove',
    async (form, context) => {
      await removePasskey(form, { ...proofIn(form.fields, context), passkeyId: idInPath(context) });
      return redirect('/settings/security?done=removed', 303);
    },
    (form, context, sentence) => passkeyAnswer(form.visit, context, { form: 'remove', sentence }),
  ),
];
