/** /settings/export: an archive of the account, and its lists as files. */
import { archiveOf } from '../../../actors/account/leaving/leaving.queries.ts';
import { leavingLimits } from '../../../actors/account/leaving/limits.ts';
import { severancesOf } from '../../../actors/account/severed/severed.queries.ts';
import { exportList, fileOfList, listNames } from '../../../operations/leaving/exported-lists.ts';
import { openArchive, requestArchive } from '../../../operations/leaving/request-archive.ts';
import { exportSevered, severedLists } from '../../../operations/leaving/severed-lists.ts';
import { asFailure, Failure } from '../../../runtime/errors.ts';
import { parseId } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, bytes, redirect } from '../../http/answers.ts';
import { fileAnswer } from '../../http/files/file-answer.ts';
import { alert, hidden } from '../../oauth/forms.ts';
import { accountContext } from '../../oauth/own-form.ts';
import type { RawRoute } from '../../route.ts';
import { failureSentence } from '../failure-sentence.ts';
import { memberPage, pageRoute } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { severedFiles } from '../parts/notification.ts';
import { fullDay } from '../parts/time.ts';
import { formRoute } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

const path = '/settings/export';
const severancesShown = 100;
/** Of one account alone, and another tomorrow. */
const kept = { 'Cache-Control': 'private, no-store' };

function exportAnswer(visit: MemberVisit, refused?: string): Answer {
  const { title, introduction, lists, listsIntroduction, names } = visit.words.leaving.archive;
  const main = html`${settingsHead(visit, title)}
<section class="card plain settings" id="archive">
<p>${introduction}</p>
${alert(refused)}
${archiveState(visit)}
</section>
<section class="card plain settings" id="lists"><h2>${lists}</h2>
<p>${listsIntroduction}</p>
<ul>${listNames.map((name) => html`<li><a href="/settings/exports/${fileOfList[name]}.csv" download>${names[name]}</a></li>`)}</ul>
</section>
${severedSection(visit)}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title, main, status, current: 'settings', isIndexed: false });
}

function severedSection(visit: MemberVisit): Html | undefined {
  const lost = severancesOf(visit.services.snapshots, visit.account.id, severancesShown);
  if (lost.length === 0) return undefined;
  const { severed, severedIntroduction } = visit.words.leaving.archive;
  const rows = lost.map(
    ({ id, targetName, createdAt }) =>
      html`<li><p><bdi>${targetName}</bdi> <span class="fine">${fullDay(visit, createdAt)}</span><br>${severedFiles(visit, id)}</p></li>`,
  );
  return html`<section class="card plain settings" id="severed"><h2>${severed}</h2>
<p>${severedIntroduction}</p>
<ul>${rows}</ul>
</section>`;
}

function archiveState(visit: MemberVisit): Html {
  const { services, account, words, now } = visit;
  const said = words.leaving.archive;
  const archive = archiveOf(services.snapshots, account.id);
  const form = html`<form method="post" action="/web/settings/export">${hidden('form_token', visit.formToken)}
<button type="submit">${said.request}</button></form>`;
  if (archive === undefined) return form;
  const { blob, readyAt, failedAt, requestedAt } = archive;
  if (failedAt !== undefined) return html`<p role="status">${said.failed}</p>${form}`;
  if (blob === undefined || readyAt === undefined) return html`<p role="status">${said.building}</p>`;
  const time = words.formats.exactTime(readyAt + leavingLimits.archiveKeptMilliseconds);
  return html`<p role="status">${said.ready({ size: words.formats.bytes(blob.bytes), time })}</p>
<p><a class="button" href="${path}/archive" download>${said.download}</a></p>
${now >= requestedAt + leavingLimits.archiveEveryMilliseconds && form}`;
}

const archivePage = memberPage(async (visit, context) => {
  const { source, name, requestedAt } = await openArchive(accountContext(context, visit.account.id), {});
  const day = new Date(requestedAt).toISOString().slice(0, 10);
  const filename = `archive-${day}-${visit.account.profile.username}.tar.gz`;
  return fileAnswer(context.request, source, {
    contentType: 'application/gzip',
    etag: `"${name}"`,
    disposition: { kind: 'attachment', filename },
    headers: kept,
  });
});

const listPage = memberPage((visit, context) => {
  const [, name] = /^([a-z_]+)\.csv$/.exec(context.pathParameters.file ?? '') ?? [];
  const list = listNames.find((one) => fileOfList[one] === name);
  if (list === undefined) throw new Failure('notFound');
  return bytes(exportList(accountContext(context, visit.account.id), { list }), {
    contentType: 'text/csv; charset=utf-8',
    headers: { ...kept, 'Content-Disposition': `attachment; filename="${name}.csv"` },
  });
});

const severedPage = memberPage((visit, context) => {
  const { id = '', file = '' } = context.pathParameters;
  const severanceId = parseId(id);
  const list = severedLists.find((one) => file === `${one}.csv`);
  if (severanceId === undefined || list === undefined) throw new Failure('notFound');
  const { csv, filename } = exportSevered(accountContext(context, visit.account.id), { severanceId, list });
  return bytes(csv, {
    contentType: 'text/csv; charset=utf-8',
    headers: { ...kept, 'Content-Disposition': `attachment; filename="${filename}"` },
  });
});

export const exportRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(
    path,
    memberPage((visit) => exportAnswer(visit)),
  ),
  pageRoute(`${path}/archive`, archivePage),
  pageRoute('/settings/exports/:file', listPage),
  pageRoute('/settings/exports/severed/:id/:file', severedPage),
  formRoute(
    '/web/settings/export',
    async (form) => {
      try {
        await requestArchive(form, {});
      } catch (error) {
        const failure = asFailure(error);
        if (failure.code !== 'conflict') throw failure;
        return exportAnswer(form.visit, failureSentence(form.visit.words, failure));
      }
      return redirect(path, 303);
    },
    { admitsMoved: true },
  ),
];
