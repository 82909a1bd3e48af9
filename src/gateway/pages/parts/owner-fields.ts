/** The fields that prove that it is the owner who sends a form: the password, and a code or a passkey where it takes two. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { passkeysOf, twoFactorOf } from '../../../actors/account/two-factor/two-factor.queries.ts';
import { askForPasskey } from '../../../operations/two-factor/passkeys.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { RawContext } from '../../http/context.ts';
import { browserOf } from '../../oauth/browser.ts';
import { type Fields, formField, hidden } from '../../oauth/forms.ts';
import type { MemberVisit } from '../visit.ts';
import { usePasskey } from './passkeys.ts';

export interface OwnerForm {
  readonly visit: MemberVisit;
  /** The secret of the browser, to which challenges are bound. */
  readonly browser: string;
  readonly takesTwo: boolean;
  /** Where the account has passkeys: what one shall sign, and the button for that in place of a code. */
  readonly asked: PublicKeyCredentialRequestOptionsJSON | undefined;
  readonly passkeyButton: Html | undefined;
}

export async function ownerForm(
  visit: MemberVisit,
  { services, request }: RawContext<GatewayServices>,
): Promise<OwnerForm> {
  const { id: accountId } = visit.account;
  const { secret: browser } = browserOf(services, request);
  const takesTwo = twoFactorOf(services.snapshots, accountId) !== undefined;
  const hasPasskeys = passkeysOf(services.snapshots, accountId).length > 0;
  const asked = hasPasskeys ? await askForPasskey(services, { purpose: 'owner', browser, accountId }) : undefined;
  const passkeyButton = asked && usePasskey(visit.words, asked, visit.words.security.proof.passkey);
  return { visit, browser, takesTwo, asked, passkeyButton };
}

/** `prefix` tells the forms of a page apart. */
export function ownerFields({ visit, takesTwo, asked }: OwnerForm, prefix: string): Html {
  const words = visit.words.security.proof;
  const required = asked === undefined && html` required`;
  return html`${hidden('form_token', visit.formToken)}
<input type="email" name="email" value="${visit.account.login.email}" autocomplete="username" hidden>
${formField({
  name: `${prefix}_password`,
  label: words.password,
  control: (described) =>
    html`<input type="password" name="password" autocomplete="current-password" required${described}>`,
})}
${
  takesTwo &&
  formField({
    name: `${prefix}_code`,
    label: words.code,
    hint: words.codeHint,
    control: (described) =>
      html`<input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"${required}${described}>`,
  })
}`;
}

/** What such a form proves. */
export function proofIn(fields: Fields, { services, request }: RawContext<GatewayServices>) {
  return {
    password: fields.get('password') ?? '',
    code: fields.get('code') ?? '',
    passkey: fields.get('passkey'),
    browser: browserOf(services, request).secret,
  };
}
