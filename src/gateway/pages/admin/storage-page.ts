/** /admin/storage: what takes the disk space, and which old posts of other servers go. */
import { type ShownStorage, storageState } from '../../../operations/administration/storage-state.ts';
import type { StorageFigures } from '../../../services/storage.ts';
import { type Html, type HtmlPart, html } from '../../../services/words/html.ts';
import { fullTime } from '../parts/time.ts';
import { staffAnswer } from './staff-frame.ts';
import { staffPage } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

export const storagePage = staffPage(storageState.permission, async (visit) => {
  const { storage: words } = visit.words;
  const shown = await storageState(visit, {});
  const { figures, isMeasuring } = shown;
  const main = html`<p class="list fine">${isMeasuring && words.measuring} ${figures && words.measured({ time: fullTime(visit, figures.at) })}</p>
${figures && amounts(visit, figures)}
${oldPosts(visit, shown)}`;
  return staffAnswer(visit, { section: 'storage', title: words.title, main });
});

function amounts(visit: StaffVisit, { database, files, diskFreeBytes }: StorageFigures): Html {
  const { storage: words, formats } = visit.words;
  const sizes = {
    size: formats.bytes(database.bytes),
    free: formats.bytes(database.freeBytes),
    left: formats.bytes(diskFreeBytes),
  };
  const inDatabase = bySize(database.kinds).map(
    ({ kind, entries, bytes }) => [words.kinds[kind], formats.number(entries), formats.bytes(bytes)] as const,
  );
  const beside = bySize(files).map(
    ({ place, files: count, bytes }) => [words.places[place], formats.number(count), formats.bytes(bytes)] as const,
  );
  const { what, entries, files: filesColumn, size } = words.columns;
  return html`${card(words.database, [what, entries, size], inDatabase, words.databaseSize(sizes))}
${card(words.beside, [what, filesColumn, size], beside, words.diskLeft(sizes))}`;
}

function oldPosts(visit: StaffVisit, { figures, retention }: ShownStorage): Html {
  const { storage: words, formats } = visit.words;
  const rows = (figures?.unused ?? []).map(
    ({ days, statuses }) => [words.olderThan({ count: days }), formats.number(statuses)] as const,
  );
  const { days = 0, nextAt, run } = retention ?? {};
  const lines = [
    days === 0 ? words.allKept : words.rule({ count: days }),
    run &&
      words.run({
        time: fullTime(visit, run.startedAt),
        examined: formats.number(run.examined),
        forgotten: formats.number(run.forgotten),
      }),
    run !== undefined && run.endedAt === undefined && words.goesOn,
    nextAt !== undefined && words.next({ time: fullTime(visit, nextAt) }),
  ];
  const note = html`${lines.map((line) => html`${line} `)}`;
  return card(words.oldPosts, [words.columns.age, words.columns.posts], rows, note);
}

function card(title: string, columns: readonly string[], rows: readonly (readonly string[])[], note: HtmlPart): Html {
  const head = columns.map((column) => html`<th scope="col">${column}</th>`);
  const body = rows.map(
    ([first, ...cells]) => html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  );
  return html`<section class="card plain"><h2>${title}</h2>
${rows.length > 0 && html`<div class="scrolls" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`}
<p class="fine">${note}</p></section>`;
}

/** Largest first, without what takes nothing. */
function bySize<Amount extends { readonly bytes: number }>(amounts: readonly Amount[]): Amount[] {
  return amounts.filter(({ bytes }) => bytes > 0).sort((one, other) => other.bytes - one.bytes);
}
