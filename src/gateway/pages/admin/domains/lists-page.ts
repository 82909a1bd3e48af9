/**
 * /admin/domains/lists: rules for other servers, and allowed ones, as files in the form of Mastodon. POST
 * /web/admin/domains/lists imports one, or says what that would do; GET /admin/domains/lists/blocks and allows are the files.
 */
import {
  type DomainImport,
  exportDomainAllows,
  exportDomainBlocks,
  type ImportedRow,
  importDomainAllows,
  importDomainBlocks,
} from '../../../../operations/administration/domain-lists.ts';
import { Failure } from '../../../../runtime/errors.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type Answer, bytes } from '../../../http/answers.ts';
import { alert } from '../../../oauth/forms.ts';
import type { RawRoute } from '../../../route.ts';
import { pageRoute } from '../../page-handler.ts';
import { formHead, perform, radios } from '../parts.ts';
import { staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { sectionTabs } from './section-tabs.ts';

const address = '/admin/domains/lists';
const lists = {
  blocks: { exported: exportDomainBlocks, imported: importDomainBlocks, file: 'domain_blocks.csv' },
  allows: { exported: exportDomainAllows, imported: importDomainAllows, file: 'domain_allows.csv' },
} as const;
type ListName = keyof typeof lists;
const listNames = Object.keys(lists) as ListName[];

/** Of an import; the rest is only counted. */
const rowsShownMax = 500;

const listsPage = staffPage('manageFederation', (visit) => listsAnswer(visit, {}));

interface State {
  readonly list?: ListName;
  readonly csv?: string;
  readonly found?: DomainImport;
  readonly refusal?: string;
}

function listsAnswer(visit: StaffVisit, { list = 'blocks', csv = '', found, refusal }: State): Answer {
  const { lists: words, title } = visit.words.servers;
  const files = listNames.map(
    (name) => html`<li><a href="${address}/${name}" download="${lists[name].file}">${words.files[name]}</a></li>`,
  );
  const main = html`${sectionTabs(visit, 'lists')}
${found !== undefined && outcome(visit, found)}
<section class="card plain"><h2>${words.exported}</h2><ul>${files}</ul></section>
<form class="card plain settings" method="post" action="/web/admin/domains/lists">
${formHead(visit)}
<h2>${words.imported}</h2><p>${words.importHint}</p>
${alert(refusal)}
${radios(words.which, 'list', listNames, words.names, list)}
<div class="field"><label>${words.file}<textarea name="csv" dir="ltr" rows="8" spellcheck="false" required>${csv}</textarea></label></div>
<div class="line buttons"><button type="submit" name="how" value="try">${words.tryFirst}</button>
<button type="submit" name="how" value="import" class="danger">${words.importNow}</button></div>
</form>`;
  return staffAnswer(visit, {
    section: 'domains',
    title: `${words.title} · ${title}`,
    main,
    isRefused: refusal !== undefined,
  });
}

function outcome(visit: StaffVisit, { rows, isDryRun }: DomainImport): Html {
  const { lists: words } = visit.words.servers;
  const { formats } = visit.words;
  const count = (wanted: ImportedRow['outcome']) => rows.filter((row) => row.outcome === wanted).length;
  const line = ({ line: number, domain, outcome: became, severed }: ImportedRow) =>
    html`<tr><th scope="row">${formats.number(number)}</th><td><bdi>${domain}</bdi></td><td>${words.outcomes[became]}</td><td>${severed === undefined ? '' : words.severed({ followers: formats.number(severed.followers), following: formats.number(severed.following) })}</td></tr>`;
  return html`<section class="card plain" role="status"><h2>${isDryRun ? words.wouldHappen : words.happened}</h2>
<p>${words.counts({ imported: formats.number(count('imported')), known: formats.number(count('known')), invalid: formats.number(count('invalid')) })}</p>
<div class="scrolls" tabindex="0" role="region" aria-label="${isDryRun ? words.wouldHappen : words.happened}"><table><thead><tr><th scope="col">${words.line}</th><th scope="col">${visit.words.servers.domain}</th><th scope="col">${words.outcome}</th><th scope="col">${words.ends}</th></tr></thead><tbody>${rows.slice(0, rowsShownMax).map(line)}</tbody></table></div></section>`;
}

const importForm = staffForm('/web/admin/domains/lists', 'manageFederation', async (form) => {
  const { visit, fields } = form;
  const list = listNames.find((name) => name === fields.get('list'));
  if (list === undefined) throw new Failure('badRequest');
  const csv = fields.get('csv') ?? '';
  const isDryRun = fields.get('how') !== 'import';
  try {
    const found = await perform(form, lists[list].imported, { csv, isDryRun });
    // What was tried is read next; what was read is done with.
    return listsAnswer(visit, { list, found, ...(isDryRun && { csv }) });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'validation') throw error;
    return listsAnswer(visit, { list, csv, refusal: visit.words.servers.lists.refused });
  }
});

const fileRoute = (list: ListName, path: string) =>
  pageRoute(
    path,
    staffPage('manageFederation', (visit) =>
      bytes(lists[list].exported(visit, {}), {
        contentType: 'text/csv; charset=utf-8',
        headers: { 'Content-Disposition': `attachment; filename="${lists[list].file}"` },
      }),
    ),
  );

export const domainListRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(address, listsPage),
  fileRoute('blocks', '/admin/domains/lists/blocks'),
  fileRoute('allows', '/admin/domains/lists/allows'),
  importForm,
];
