/** /admin/domains/:id: one rule for another server. And its forms: POST /web/admin/domains/:id and /remove. */
import type { DomainBlock } from '../../../../actors/instance/domains/domains.records.ts';
import {
  changeDomainBlock,
  showDomainBlock,
  unblockDomain,
} from '../../../../operations/administration/domain-blocks.ts';
import type { DomainPreview } from '../../../../operations/administration/domain-lists.ts';
import { html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type Answer, redirect } from '../../../http/answers.ts';
import type { RawRoute } from '../../../route.ts';
import type { Refused } from '../../refused.ts';
import { idInPath } from '../../visit.ts';
import { notesCard } from '../notes-card.ts';
import { askingButton, formHead, perform, refusedAlert, refusedForm } from '../parts.ts';
import { sections } from '../sections.ts';
import { serverPath } from '../servers/servers-page.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { type BlockDraft, blockDraft, blockFields, blockIn } from './block-fields.ts';
import { originCard } from './origin-card.ts';
import { previewFields, previewFor } from './preview-card.ts';

export const blockPage = staffPage('manageFederation', (visit, context) => {
  const block = showDomainBlock(visit, { id: idInPath(context) });
  return blockAnswer(visit, block, { done: doneOf(visit, context.request) });
});

interface State {
  readonly done?: string | undefined;
  readonly refused?: Refused<BlockDraft>;
  /** What the rule, as it was typed, would end, where that was not shown yet. */
  readonly asked?: { readonly draft: BlockDraft; readonly preview: DomainPreview };
}

function blockAnswer(visit: StaffVisit, block: DomainBlock, { done, refused, asked }: State): Answer {
  const words = visit.words.servers;
  const domain = html`<bdi>${block.domain}</bdi>`;
  const main = html`<form class="card plain settings" method="post" action="/web/admin/domains/${block.id}">
${refusedAlert(visit, refused)}
${formHead(visit, refused)}
${blockFields(visit, refused?.draft ?? asked?.draft ?? blockDraft(block))}
${asked !== undefined && previewFields(visit, asked.preview)}
<button type="submit">${words.save}</button>
</form>
<p><a href="${serverPath(block.domain)}">${words.known.title}: ${domain}</a></p>
${originCard(visit, block)}
<section class="card plain settings"><h2>${words.takeBack}</h2>
${askingButton(`/web/admin/domains/${block.id}/remove`, words.takeBackMore, words.takeBackHint({ domain }), words.takeBack)}</section>
${notesCard(visit, { kind: 'server', about: block.domain, returnTo: `/admin/domains/${block.id}` })}`;
  const title = words.change({ domain: block.domain });
  return staffAnswer(visit, {
    section: 'domains',
    title,
    back: { path: sections.domains.address, words: words.title },
    main,
    done,
    isRefused: refused !== undefined || asked !== undefined,
    isLate: refused?.isLate,
  });
}

const changeForm = staffForm('/web/admin/domains/:id', 'manageFederation', async (form, context) => {
  const { visit } = form;
  const block = showDomainBlock(visit, { id: idInPath(context) });
  const draft = { ...blockIn(form.fields), domain: block.domain };
  const { domain: _domain, ...content } = draft;
  try {
    const preview = block.severity === 'suspend' ? undefined : await previewFor(form, draft);
    if (preview !== undefined) return blockAnswer(visit, block, { asked: { draft, preview } });
    await perform(form, changeDomainBlock, { id: block.id, ...content });
    return redirect(`/admin/domains/${block.id}?done=blockChanged`, 303);
  } catch (error) {
    return blockAnswer(visit, block, { refused: refusedForm(form, draft, error, visit.words.problems.checkFields) });
  }
});

const removeForm = staffForm('/web/admin/domains/:id/remove', 'manageFederation', async ({ visit }, context) => {
  await unblockDomain(visit, { domain: idInPath(context) });
  return redirect('/admin/domains?done=unblocked', 303);
});

export const blockForms: readonly RawRoute<GatewayServices>[] = [changeForm, removeForm];
