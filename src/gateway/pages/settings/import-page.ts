/** /settings/import: takes lists over from files, and posts from archives, with what becomes of each row. */
import { readFile } from 'node:fs/promises';
import { failedRowsOf, findImport, importsOf } from '../../../actors/account/imports/imports.queries.ts';
import { type Import, type ImportedRow, importedLists } from '../../../actors/account/imports/imports.records.ts';
import { importLimits } from '../../../actors/account/imports/limits.ts';
import { csvLine } from '../../../actors/policy/csv.ts';
import { beginImport, cancelImport } from '../../../operations/imports/import-list.ts';
import { admitArchive, importPosts } from '../../../operations/imports/import-posts.ts';
import { asFailure, Failure } from '../../../runtime/errors.ts';
import { parseId } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, bytes, redirect } from '../../http/answers.ts';
import { statusOf } from '../../http/failures.ts';
import { alert, formField, hidden } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { failureSentence } from '../failure-sentence.ts';
import { memberPage, pageRoute } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { linkTo } from '../parts/slots.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

const path = '/settings/import';
const dayMilliseconds = 24 * 60 * 60 * 1_000;
/** The others are in the file. */
const failuresShownMax = 20;

function importAnswer(visit: MemberVisit, refused?: string): Answer {
  const { title, past, keptFor } = visit.words.imports;
  const known = importsOf(visit.services.snapshots, visit.account.id);
  const days = importLimits.keptMilliseconds / dayMilliseconds;
  const main = html`${settingsHead(visit, title)}
${alert(refused)}
${importForm(visit)}
${postsForm(visit)}
${
  known.length > 0 &&
  html`<section class="card plain settings" id="imports"><h2>${past}</h2><p>${keptFor({ days })}</p>
${known.map((one) => importState(visit, one))}</section>`
}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title, main, status, current: 'settings', isIndexed: false });
}

function importForm(visit: MemberVisit): Html {
  const { introduction, list, names, file, mode, merge, overwrite, begin } = visit.words.imports;
  return html`<form class="card plain settings" method="post" action="/web/settings/import" enctype="multipart/form-data">
<p>${introduction({ rows: importLimits.rowsMax })}</p>
${hidden('form_token', visit.formToken)}
${formField({
  name: 'list',
  label: list,
  control: (described) =>
    html`<select name="list"${described}>${importedLists.map((one) => html`<option value="${one}">${names[one]}</option>`)}</select>`,
})}
<fieldset class="field"><legend>${mode}</legend>
<label class="choice"><input type="radio" name="mode" value="merge" checked> <span>${merge}</span></label>
<label class="choice"><input type="radio" name="mode" value="overwrite"> <span>${overwrite}</span></label></fieldset>
${formField({
  name: 'file',
  label: file,
  control: (described) => html`<input type="file" name="file" accept=".csv,.txt,text/csv" required${described}>`,
})}
<button type="submit">${begin}</button>
</form>`;
}

function postsForm(visit: MemberVisit): Html {
  const { title, introduction, file, begin } = visit.words.imports.posts;
  const link = linkTo('/settings/moving');
  return html`<form class="card plain settings" method="post" action="/web/settings/import/posts" enctype="multipart/form-data">
<h2>${title}</h2>
<p>${introduction({ link })}</p>
${hidden('form_token', visit.formToken)}
${formField({
  name: 'archive',
  label: file,
  control: (described) =>
    html`<input type="file" name="archive" accept=".zip,.gz,.tgz,.tar,application/zip,application/gzip" required${described}>`,
})}
<button type="submit">${begin}</button>
</form>`;
}

function importState(visit: MemberVisit, one: Import): Html {
  const { words, services, account } = visit;
  const said = words.imports;
  const { id, list, rows, done, failed, endedAt, isCancelled = false, problem } = one;
  const ended = problem !== undefined ? 'failed' : isCancelled ? 'cancelled' : 'ended';
  const state = endedAt === undefined ? 'running' : ended;
  const isBeingRead = endedAt === undefined && list === 'posts' && one.isRead !== true;
  const failures = [];
  if (failed > 0)
    for (const row of failedRowsOf(services.snapshots, account.id, id)) {
      failures.push(row);
      if (failures.length === failuresShownMax) break;
    }
  const time = words.formats.exactTime(one.startedAt);
  return html`<article id="import-${id}"><h3>${said.names[list]}</h3><p class="fine">${time}</p>
<p role="status">${
    isBeingRead
      ? html`<progress aria-label="${said.names[list]}"></progress> ${said.posts.reading}`
      : html`<progress value="${done + failed}" max="${Math.max(1, rows)}" aria-label="${said.names[list]}"></progress>
${said.progress({ tried: done + failed, rows })}. ${said.states[state]} ${said.taken({ count: done })}`
  }</p>
${problem !== undefined && html`<p>${words.problems.refusals[problem]}</p>`}
${
  failed > 0 &&
  html`<p>${said.failed({ count: failed })}</p>
${
  failures.length > 0 &&
  html`<ul>${failures.map((row) => html`<li>${failureOf(visit, row)} <code dir="auto">${row.values.join(', ')}</code></li>`)}</ul>
<p><a href="/settings/imports/${id}/failures.csv" download>${said.failures}</a></p>`
}`
}
${
  endedAt === undefined &&
  html`<form method="post" action="/web/settings/imports/${id}/cancel">${hidden('form_token', visit.formToken)}
<button type="submit" class="quiet">${said.cancel}</button></form>`
}</article>`;
}

function failureOf({ words }: MemberVisit, { line, result }: ImportedRow): string {
  const reason = result === undefined || result === 'done' ? '' : words.imports.results[result];
  return words.imports.row({ line, reason });
}

const failuresPage = memberPage((visit, context) => {
  const importId = parseId(context.pathParameters.id ?? '');
  const { snapshots } = visit.services;
  const known = importId === undefined ? undefined : findImport(snapshots, visit.account.id, importId);
  if (known === undefined) throw new Failure('notFound');
  const rows = Array.from(failedRowsOf(snapshots, visit.account.id, known.id), ({ values }) => csvLine(values));
  return bytes(rows.join(''), {
    contentType: 'text/csv; charset=utf-8',
    headers: { 'Cache-Control': 'private, no-store', 'Content-Disposition': 'attachment; filename="failures.csv"' },
  });
});

async function begun(visit: MemberVisit, begin: () => Promise<unknown>): Promise<Answer> {
  try {
    await begin();
  } catch (error) {
    const failure = asFailure(error);
    if (![409, 422].includes(statusOf(failure))) throw error;
    return importAnswer(visit, failureSentence(visit.words, failure));
  }
  return redirect(path, 303);
}

export const importRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(
    path,
    memberPage((visit) => importAnswer(visit)),
  ),
  pageRoute('/settings/imports/:id/failures.csv', failuresPage),
  formRoute(
    '/web/settings/import',
    async (form) => {
      const { fields, visit } = form;
      const [file] = fields.files('file');
      const list = importedLists.find((one) => one === fields.get('list'));
      if (file === undefined || list === undefined) return importAnswer(visit, visit.words.imports.noFile);
      return begun(visit, async () => {
        const content = await readFile(file.path, 'utf8');
        return beginImport(form, { list, overwrites: fields.get('mode') === 'overwrite', content });
      });
    },
    { files: { file: { bytesMax: importLimits.fileBytesMax } } },
  ),
  formRoute(
    '/web/settings/import/posts',
    async (form) => {
      const [archive] = form.fields.files('archive');
      if (archive === undefined) return importAnswer(form.visit, form.visit.words.imports.noFile);
      return begun(form.visit, () => importPosts(form, { file: archive.path }));
    },
    {
      files: { archive: { bytesMax: importLimits.archiveBytesMax } },
      admit: ({ services }, sender) => admitArchive(services, sender),
    },
  ),
  formRoute('/web/settings/imports/:id/cancel', async (form, context) => {
    await cancelImport(form, { importId: idInPath(context) });
    return redirect(path, 303);
  }),
];
