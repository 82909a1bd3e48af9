/** The passkeys of an account in /settings/security: their list, and the form that adds one. */
import { twoFactorLimits } from '../../../actors/account/two-factor/limits.ts';
import { type ListedPasskey, passkeysOf } from '../../../actors/account/two-factor/two-factor.queries.ts';
import { dayOf } from '../../../actors/session/session.messages.ts';
import { canHavePasskeys, offerPasskey } from '../../../operations/two-factor/passkeys.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { alert, formField } from '../../oauth/forms.ts';
import { type OwnerForm, ownerFields } from '../parts/owner-fields.ts';
import { makePasskey } from '../parts/passkeys.ts';
import { fullDay } from '../parts/time.ts';
import type { MemberVisit } from '../visit.ts';

export async function passkeySection(form: OwnerForm, problem: string | undefined): Promise<Html> {
  const { visit } = form;
  const words = visit.words.security.passkeys;
  const listed = passkeysOf(visit.services.snapshots, visit.account.id);
  return html`<section class="card plain settings" id="passkeys"><h2>${words.title}</h2>
<p>${words.introduction}</p>
${listed.length > 0 && html`<ul class="rows">${listed.map((one) => row(visit, one))}</ul>`}
${canHavePasskeys(visit.services.addresses) ? await addForm(form, problem) : html`<p class="fine">${words.noHost}</p>`}
</section>`;
}

function row(visit: MemberVisit, { id, passkey }: ListedPasskey): Html {
  const words = visit.words.security.passkeys;
  return html`<li><p><strong><bdi>${passkey.name}</bdi></strong><span class="fine">${passkeyDetails(visit, passkey)}</span></p><a class="button quiet" href="/settings/security/passkeys/${id}">${words.change}</a></li>`;
}

/** Since when it is there, and when it was last used. */
export function passkeyDetails(
  { words, now, ...visit }: MemberVisit,
  { createdAt, lastUsedDay }: ListedPasskey['passkey'],
): Html {
  const { details, detailsUnused } = words.security.passkeys;
  const day = fullDay({ words, now, ...visit }, createdAt);
  if (lastUsedDay === 0) return detailsUnused({ day });
  return details({ day, used: words.formats.daysAgo(Math.max(0, dayOf(now) - lastUsedDay)) });
}

async function addForm(form: OwnerForm, problem: string | undefined): Promise<Html> {
  const { visit, browser, asked } = form;
  const words = visit.words.security.passkeys;
  const { username, displayName } = visit.account.profile;
  const offered = await offerPasskey(visit.services, { id: visit.account.id, username, displayName }, browser);
  return html`<form method="post" action="/web/security/passkeys" data-passkeys hidden>
<h3>${words.another}</h3>
${alert(problem)}
${formField({
  name: 'name',
  label: words.name,
  hint: words.nameHint,
  control: (described) =>
    html`<input name="name" dir="auto" maxlength="${twoFactorLimits.passkeyNameCharactersMax}" required${described}>`,
})}
${ownerFields(form, 'add')}
${makePasskey(visit.words, offered, asked)}
</form>`;
}
