/** The buttons that admit a sign-up or reject it, with what their page has shown. */

import type { AccountView } from '../../../../actors/account/profile/profiles.queries.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { hidden } from '../../../oauth/forms.ts';
import { formHead } from '../parts.ts';
import type { StaffVisit } from '../visitor.ts';
import { seenOf } from './last-decision.ts';

export function admissionButtons(visit: StaffVisit, { profile }: AccountView): Html {
  const { accounts: words } = visit.words;
  const form = (verb: string, button: Html) =>
    html`<form method="post" action="/web/admin/accounts/${profile.id}/${verb}">${formHead(visit)}${hidden('seen', seenOf(visit, profile.id))}${button}</form>`;
  return html`<div class="line buttons">${form('approve', html`<button>${words.approve}</button>`)}
<details class="confirm"><summary class="button quiet">${words.rejectMore}</summary><p>${words.rejectHint}</p>${form('reject', html`<button class="danger">${words.reject}</button>`)}</details></div>`;
}
