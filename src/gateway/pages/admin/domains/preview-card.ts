/** What a suspension of a server, or of all that are not allowed, would end, before it is made. */

import { findProfile } from '../../../../actors/account/remote/federation.queries.ts';
import type { FederationMode } from '../../../../actors/policy/domains.ts';
import {
  type DomainPreview,
  previewAllowList,
  previewDomainBlock,
  type SeveredPreview,
} from '../../../../operations/administration/domain-lists.ts';
import { type Html, type HtmlPart, html } from '../../../../services/words/html.ts';
import { hidden } from '../../../oauth/forms.ts';
import { accountLink, perform } from '../parts.ts';
import type { StaffForm, StaffVisit } from '../visitor.ts';
import type { BlockDraft } from './block-fields.ts';

const affectedShownMax = 10;

/** Undefined where nothing ends, or where the visitor has seen it already. */
export async function previewFor(
  form: StaffForm,
  { domain, severity }: BlockDraft,
): Promise<DomainPreview | undefined> {
  if (severity !== 'suspend' || form.fields.get('seen') === domain.trim().toLowerCase()) return undefined;
  const preview = await perform(form, previewDomainBlock, { domain });
  return preview.followers + preview.following === 0 ? undefined : preview;
}

/** The same for the mode of federation. */
export async function previewForMode(
  form: StaffForm,
  mode: FederationMode,
  present: FederationMode,
): Promise<SeveredPreview | undefined> {
  if (mode !== 'allow-list' || present === mode || form.fields.get('seen') === mode) return undefined;
  const preview = await perform(form, previewAllowList, {});
  return preview.followers + preview.following === 0 ? undefined : preview;
}

/** Inside the form of the rule: sent again it makes the rule. */
export function previewFields(visit: StaffVisit, preview: DomainPreview): Html {
  const words = visit.words.servers.preview;
  const title = words.title({ domain: html`<bdi>${preview.domain}</bdi>` });
  return html`${card(visit, title, preview, words.again)}${hidden('seen', preview.domain)}`;
}

/** Inside the form of the mode. */
export function modePreviewFields(visit: StaffVisit, preview: SeveredPreview): Html {
  const words = visit.words.servers.preview;
  return html`${card(visit, words.modeTitle, preview, words.modeAgain)}${hidden('seen', 'allow-list')}`;
}

function card(visit: StaffVisit, title: HtmlPart, preview: SeveredPreview, again: string): Html {
  const { servers, formats } = visit.words;
  const words = servers.preview;
  const counts = {
    accounts: formats.number(preview.accounts),
    followers: formats.number(preview.followers),
    following: formats.number(preview.following),
    people: formats.number(preview.affectedCount),
  };
  const rows = preview.affected.slice(0, affectedShownMax).map(({ accountId, followers, following }) => {
    const account = accountLink(visit, findProfile(visit.services.snapshots, accountId));
    const lost = { followers: formats.number(followers), following: formats.number(following) };
    return html`<li><p>${account} <span class="fine">${servers.lists.severed(lost)}</span></p></li>`;
  });
  return html`<div role="alert" class="card plain"><h2>${title}</h2>
<p>${words.counts(counts)}${!preview.isWhole && html` ${words.more}`}</p>
<ul class="rows">${rows}</ul><p>${again}</p></div>`;
}
