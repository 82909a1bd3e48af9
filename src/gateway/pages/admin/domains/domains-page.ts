/**
 * /admin/domains: rules for other servers, and the form for a new one; /admin/domains/allowed: with which servers this one
 * talks. And their forms.
 */
import { federationModeOf } from '../../../../actors/instance/domains/domains.queries.ts';
import type { DomainBlock } from '../../../../actors/instance/domains/domains.records.ts';
import { federationModes } from '../../../../actors/policy/domains.ts';
import {
  allowDomain,
  disallowDomain,
  listDomainAllows,
  setFederationMode,
} from '../../../../operations/administration/domain-allows.ts';
import { blockDomain, listDomainBlocks } from '../../../../operations/administration/domain-blocks.ts';
import type { DomainPreview, SeveredPreview } from '../../../../operations/administration/domain-lists.ts';
import { Failure } from '../../../../runtime/errors.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type Answer, redirect } from '../../../http/answers.ts';
import { alert, queryFields } from '../../../oauth/forms.ts';
import type { RawRoute } from '../../../route.ts';
import { webLimits } from '../../limits.ts';
import { pageRoute } from '../../page-handler.ts';
import { fullDay } from '../../parts/time.ts';
import type { Refused } from '../../refused.ts';
import { idInPath, olderThanOf } from '../../visit.ts';
import { actButton, formHead, listOf, olderLink, perform, radios, refusedForm } from '../parts.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { type BlockDraft, blockFields, blockIn, domainField, newBlock, newBlockFor } from './block-fields.ts';
import { blockForms, blockPage } from './block-page.ts';
import { domainListRoutes } from './lists-page.ts';
import { modePreviewFields, previewFields, previewFor, previewForMode } from './preview-card.ts';
import { sectionTabs } from './section-tabs.ts';
import { subscriptionsRoutes } from './subscriptions-page.ts';

export const domainsPath = '/admin/domains';
const allowedPath = `${domainsPath}/allowed`;

interface State {
  readonly maxId?: bigint | undefined;
  readonly done?: string | undefined;
  readonly refused?: Refused<BlockDraft>;
  /** Of the form, where nothing was refused. */
  readonly draft?: BlockDraft;
  /** What the rule would end, where that was not shown yet. */
  readonly preview?: DomainPreview;
}

const domainsPage = staffPage('manageFederation', (visit, { request }) =>
  domainsAnswer(visit, {
    ...{ maxId: olderThanOf(request), done: doneOf(visit, request) },
    draft: newBlockFor(queryFields(request.query).get('domain') ?? ''),
  }),
);

function domainsAnswer(visit: StaffVisit, { maxId, done, refused, draft: given = newBlock, preview }: State): Answer {
  const words = visit.words.servers;
  const page = listDomainBlocks(visit, { limit: webLimits.pagePeople, maxId });
  const draft = refused?.draft ?? given;
  const main = html`${sectionTabs(visit, 'blocks')}
${listOf(
  visit,
  words.blocks,
  page.items.map((block) => blockRow(visit, block)),
  words.none,
)}
${olderLink(visit, page)}
<form class="card plain settings" id="new" method="post" action="/web/admin/domains">
<h2>${words.newRule}</h2>
<p>${words.newRuleHint}</p>
${alert(refused?.problem)}
${refused?.more}
${formHead(visit, refused)}
${domainField(visit, draft.domain)}
${blockFields(visit, draft)}
${preview !== undefined && previewFields(visit, preview)}
<button type="submit">${words.make}</button>
</form>`;
  const isRefused = refused !== undefined;
  const isLate = refused?.isLate;
  return staffAnswer(visit, { section: 'domains', title: words.title, main, done, isRefused, isLate });
}

function blockRow(visit: StaffVisit, block: DomainBlock): Html {
  const { servers, blocklists } = visit.words;
  const effects = (['rejectMedia', 'rejectReports', 'obfuscate'] as const).filter((one) => block[one]);
  const { publicComment = '', privateComment = '' } = block;
  return html`<p class="line row"><a class="what" href="${domainsPath}/${block.id}"><bdi>${block.domain}</bdi></a>
<span class="badge">${servers.severities[block.severity]}</span>${block.isOfLists === true && html` <span class="badge">${blocklists.ofLists}</span>`}</p>
<p class="fine">${effects.map((one) => html`${servers.effects[one]} · `)}${servers.since({ time: fullDay(visit, block.createdAt) })}</p>
${publicComment !== '' && html`<p dir="auto">${publicComment}</p>`}
${privateComment !== '' && html`<p class="fine" dir="auto">${servers.privateNote({ text: privateComment })}</p>`}`;
}

const blockForm = staffForm('/web/admin/domains', 'manageFederation', async (form) => {
  const { visit } = form;
  const draft = blockIn(form.fields);
  const { servers } = visit.words;
  try {
    const preview = await previewFor(form, draft);
    if (preview !== undefined) return domainsAnswer(visit, { refused: { draft, problems: {} }, preview });
    const { block, isNew } = await perform(form, blockDomain, draft);
    if (isNew) return redirect(`${domainsPath}?done=blocked`, 303);
    const problem = servers.exists({ domain: block.domain });
    return domainsAnswer(visit, { refused: { draft, problems: {}, problem } });
  } catch (error) {
    return domainsAnswer(visit, { refused: refusedForm(form, draft, error, servers.refused) });
  }
});

const allowedPage = staffPage('manageFederation', (visit, { request }) =>
  allowedAnswer(visit, { maxId: olderThanOf(request), done: doneOf(visit, request) }),
);

interface AllowedState extends Pick<State, 'maxId' | 'done'> {
  readonly refused?: Refused<string>;
  /** What the mode that was chosen would end, where that was not shown yet. */
  readonly preview?: SeveredPreview;
}

function allowedAnswer(visit: StaffVisit, { maxId, done, refused, preview }: AllowedState): Answer {
  const words = visit.words.servers;
  const page = listDomainAllows(visit, { limit: webLimits.pagePeople, maxId });
  const mode = federationModeOf(visit.services.snapshots);
  const rows = page.items.map(
    ({ id, domain, createdAt }) =>
      html`<div class="line row"><span class="what"><bdi>${domain}</bdi></span><span class="fine">${words.since({ time: fullDay(visit, createdAt) })}</span>${actButton(`/web/admin/domains/allowed/${id}/remove`, words.disallow)}</div>`,
  );
  const main = html`${sectionTabs(visit, 'allows')}
<form class="card plain settings" method="post" action="/web/admin/domains/mode">
<h2>${words.mode}</h2>
<p>${words.modeHint}</p>
${formHead(visit)}
${radios(words.mode, 'mode', federationModes, words.modes, preview === undefined ? mode : 'allow-list')}
${preview !== undefined && modePreviewFields(visit, preview)}
<button type="submit">${words.changeMode}</button>
</form>
${listOf(visit, words.allows, rows, words.noAllows)}
${olderLink(visit, page)}
<form class="card plain settings" method="post" action="/web/admin/domains/allowed">
<h2>${words.allow}</h2>
${alert(refused?.problem)}
${refused?.more}
${formHead(visit, refused)}
${domainField(visit, refused?.draft ?? '')}
<button type="submit">${words.allowButton}</button>
</form>`;
  const isRefused = refused !== undefined || preview !== undefined;
  const isLate = refused?.isLate;
  return staffAnswer(visit, { section: 'domains', title: words.allows, main, done, isRefused, isLate });
}

const allowForm = staffForm('/web/admin/domains/allowed', 'manageFederation', async (form) => {
  const domain = form.fields.get('domain') ?? '';
  try {
    await perform(form, allowDomain, { domain });
    return redirect(`${allowedPath}?done=allowed`, 303);
  } catch (error) {
    const refused = refusedForm(form, domain, error, form.visit.words.servers.refused);
    return allowedAnswer(form.visit, { refused });
  }
});

const disallowForm = staffForm(
  '/web/admin/domains/allowed/:id/remove',
  'manageFederation',
  async ({ visit }, context) => {
    await disallowDomain(visit, { domain: idInPath(context) });
    return redirect(`${allowedPath}?done=disallowed`, 303);
  },
);

const modeForm = staffForm('/web/admin/domains/mode', 'manageFederation', async (form) => {
  const { visit, fields } = form;
  const mode = federationModes.find((one) => one === fields.get('mode'));
  if (mode === undefined) throw new Failure('badRequest');
  const preview = await previewForMode(form, mode, federationModeOf(visit.services.snapshots));
  if (preview !== undefined) return allowedAnswer(visit, { preview });
  await setFederationMode(visit, { mode });
  return redirect(`${allowedPath}?done=mode`, 303);
});

export const domainRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(domainsPath, domainsPage),
  pageRoute(allowedPath, allowedPage),
  ...domainListRoutes,
  ...subscriptionsRoutes,
  pageRoute(`${domainsPath}/:id`, blockPage),
  blockForm,
  ...blockForms,
  allowForm,
  disallowForm,
  modeForm,
];
