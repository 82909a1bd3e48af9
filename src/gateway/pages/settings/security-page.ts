/** /settings/security: what the account signs in with. */
import { passkeysOf, twoFactorOf } from '../../../actors/account/two-factor/two-factor.queries.ts';
import type { TwoFactor } from '../../../actors/account/two-factor/two-factor.records.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { alert, queryFields } from '../../oauth/forms.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { type OwnerForm, ownerFields, ownerForm } from '../parts/owner-fields.ts';
import { passkeyScript } from '../parts/passkeys.ts';
import { fullDay } from '../parts/time.ts';
import type { MemberVisit } from '../visit.ts';
import { passkeySection } from './passkey-section.ts';
import { settingsHead } from './settings-head.ts';

export interface SecurityState {
  /** Why a form was refused, and which. */
  readonly refused?: { readonly form: SecurityForm; readonly sentence: string };
  /** Shown once. */
  readonly recoveryCodes?: readonly string[] | undefined;
  readonly done?: string | undefined;
}

export type SecurityForm = 'renew' | 'disable' | 'add';

export const securityPage = memberPage((visit, context) => {
  const done = queryFields(context.request.query).get('done') ?? '';
  const sentences: Readonly<Record<string, string>> = visit.words.security.done;
  return securityAnswer(visit, context, { done: Object.hasOwn(sentences, done) ? sentences[done] : undefined });
});

export async function securityAnswer(
  visit: MemberVisit,
  context: RawContext<GatewayServices>,
  state: SecurityState,
): Promise<Answer> {
  const { title } = visit.words.security;
  const { done, recoveryCodes, refused } = state;
  const form = await ownerForm(visit, context);
  const twoFactor = twoFactorOf(visit.services.snapshots, visit.account.id);
  const main = html`${settingsHead(visit, title)}
${done !== undefined && html`<p class="card done" role="status">${done}</p>`}
${recoveryCodes !== undefined && shownCodes(visit, recoveryCodes)}
${appSection(visit, twoFactor)}
${await passkeySection(form, refused?.form === 'add' ? refused.sentence : undefined)}
${twoFactor !== undefined && html`${recoverySection(form, twoFactor, state)}${disableSection(form, state)}`}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title, main, status, current: 'settings', isIndexed: false, head: passkeyScript });
}

function shownCodes(visit: MemberVisit, codes: readonly string[]): Html {
  const words = visit.words.security.recovery;
  return html`<section class="card plain settings" role="status"><h2>${words.title}</h2>
<p>${words.shownOnce}</p>
<ol class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol></section>`;
}

function appSection(visit: MemberVisit, twoFactor: TwoFactor | undefined): Html {
  const words = visit.words.security.twoFactor;
  return html`<section class="card plain settings" id="two-factor"><h2>${words.title}</h2>
<p>${words.introduction}</p>
${
  twoFactor?.totp === undefined
    ? html`<p><a class="button" href="/settings/security/app">${words.setUp}</a></p>`
    : html`<p>${words.isOn({ day: fullDay(visit, twoFactor.totp.since) })}</p>`
}
</section>`;
}

function recoverySection(form: OwnerForm, { recoveryCodes }: TwoFactor, { refused }: SecurityState): Html {
  const words = form.visit.words.security.recovery;
  return html`<form class="card plain settings" id="recovery" method="post" action="/web/security/recovery-codes">
<h2>${words.title}</h2>
<p>${words.introduction}</p>
<p>${words.left({ count: recoveryCodes.length })}</p>
${alert(refused?.form === 'renew' ? refused.sentence : undefined)}
${ownerFields(form, 'renew')}
<button type="submit">${words.renew}</button>
${form.passkeyButton}
</form>`;
}

function disableSection(form: OwnerForm, { refused }: SecurityState): Html {
  const words = form.visit.words.security.twoFactor;
  const { snapshots } = form.visit.services;
  const hasPasskeys = passkeysOf(snapshots, form.visit.account.id).length > 0;
  return html`<form class="card plain settings" id="disable" method="post" action="/web/security/two-factor/disable">
<h2>${words.disableTitle}</h2>
<p>${hasPasskeys ? words.disableWithPasskeys : words.disableIntroduction}</p>
${alert(refused?.form === 'disable' ? refused.sentence : undefined)}
${ownerFields(form, 'disable')}
<button type="submit">${words.disable}</button>
${form.passkeyButton}
</form>`;
}
