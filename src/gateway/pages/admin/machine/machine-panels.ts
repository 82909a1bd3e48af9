/** The panels of the machine: figures with their last minute, and lists with bars. Charts are SVG, without a library. */
import { type Html, type HtmlPart, html } from '../../../../services/words/html.ts';
import { fullness, type MachineView, oldestOf, type Times } from '../../../operator/machine/machine-view.ts';
import { sparkLine } from '../../parts/spark-line.ts';
import { fullTime } from '../../parts/time.ts';
import type { Visit } from '../../visit.ts';
import { reasonOf } from '../servers/delivery-lines.ts';

/** The charts show the last minute. */
const secondsShown = 60;

type Reader = Pick<Visit, 'words' | 'now'>;

/** Of the newest view; those before it are in the charts. */
export function machinePanels(visit: Reader, views: readonly MachineView[]): Html {
  const view = views.at(-1)!;
  return html`${figures(visit, views, view)}
${actors(visit, views, view)}
${messages(visit, view)}
${partitions(visit, views, view)}
${lanes(visit, view)}
${streams(visit, view)}
${caches(visit, view)}`;
}

function figures(visit: Reader, views: readonly MachineView[], view: MachineView): Html {
  const { machine: words, formats } = visit.words;
  const figure = (label: string, value: HtmlPart, note: HtmlPart, of: (one: MachineView) => number) =>
    html`<div class="card figure"><h2>${label}</h2><p class="value">${value}</p><p class="fine">${note}</p>${sparkLine(views.map(of), secondsShown)}</div>`;
  const { memory, requests } = view;
  return html`<div class="tiles">${figure(words.processors, formats.precise(hundredths(view.processors)), words.waited({ number: formats.precise(hundredths(view.processorsWaited)) }), ({ processors }) => processors)}
${figure(words.memory, formats.bytes(memory.anonymous), html`${memory.max > 0 && html`${words.ofMemory({ max: formats.bytes(memory.max), share: formats.share(memory.anonymous / memory.max) })} ${bar(memory.anonymous / memory.max)}<br>`}${words.parts({ heaps: formats.bytes(memory.heaps), buffers: formats.bytes(memory.buffers), mapped: formats.bytes(memory.mapped) })}`, ({ memory: { anonymous } }) => anonymous)}
${figure(words.requests, rate(visit, requests.perSecond), words.underWay({ number: view.requestsInFlight, time: time(visit, requests.p99) }), ({ requests: { perSecond } }) => perSecond)}
${figure(words.turns, rate(visit, view.turnsPerSecond), words.commits({ number: formats.precise(view.commitsPerSecond) }), ({ turnsPerSecond }) => turnsPerSecond)}
${figure(words.events, rate(visit, view.eventsPerSecond), words.openStreams({ number: view.streams }), ({ eventsPerSecond }) => eventsPerSecond)}</div>`;
}

/** Idle servers do something now and then: digits that mean nothing would take turns. */
function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** How much of something is used: beside its figures, which say the same. */
function bar(share: number): Html {
  const width = Math.min(100, Math.max(0, share * 100)).toFixed(1);
  return html`<svg class="meter${share > 0.9 && ' full'}" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="of" width="100" height="4"/><rect class="used" width="${width}" height="4"/></svg>`;
}

function rate({ words: { machine, formats } }: Reader, perSecond: number): string {
  return machine.perSecond({ number: formats.precise(perSecond) });
}

function time({ words: { machine, formats } }: Reader, seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  if (seconds === Number.POSITIVE_INFINITY) return machine.longer;
  return formats.milliseconds(seconds * 1_000);
}

/** A table that scrolls by itself where it is too wide. */
function table(title: string, columns: readonly string[], rows: readonly (readonly HtmlPart[])[], empty: string): Html {
  const head = columns.map((column) => html`<th scope="col">${column}</th>`);
  const body = rows.map(
    ([first, ...cells]) => html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  );
  return html`<section class="card"><h2>${title}</h2>
${rows.length === 0 ? html`<p class="fine">${empty}</p>` : html`<div class="scrolls" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`}</section>`;
}

function timesCells(visit: Reader, times: Times): readonly string[] {
  return [rate(visit, times.perSecond), time(visit, times.mean), time(visit, times.p99)];
}

/** The last minute of one row of a list: 0 where it was not there. */
function minuteOf<Row>(
  views: readonly MachineView[],
  find: (view: MachineView) => Row | undefined,
  of: (row: Row) => number,
): Html {
  const values = views.map((view) => {
    const row = find(view);
    return row === undefined ? 0 : of(row);
  });
  return sparkLine(values, secondsShown);
}

function actors(visit: Reader, views: readonly MachineView[], { actors: all }: MachineView): Html {
  const { machine: words, formats } = visit.words;
  const { actor, mailboxes, longest, often, share, minute } = words.columns;
  const rows = all.map((one) => [
    html`<code lang="en">${one.kind}</code>`,
    formats.number(one.waiting),
    formats.number(one.longest),
    rate(visit, one.turnsPerSecond),
    html`${formats.share(one.share)} ${bar(one.share)}`,
    minuteOf(
      views,
      (view) => view.actors.find(({ kind }) => kind === one.kind),
      (row) => row.share,
    ),
  ]);
  return table(words.actors, [actor, mailboxes, longest, often, share, minute], rows, words.nothing);
}

function messages(visit: Reader, { turns }: MachineView): Html {
  const { machine: words, formats } = visit.words;
  const { message, often, mean, nearlyAll, share } = words.columns;
  const rows = turns.map((turn) => [
    html`<code lang="en">${turn.message}</code>`,
    ...timesCells(visit, turn),
    html`${formats.share(turn.share)} ${bar(turn.share)}`,
  ]);
  return table(words.messages, [message, often, mean, nearlyAll, share], rows, words.nothing);
}

function partitions(visit: Reader, views: readonly MachineView[], view: MachineView): Html {
  const { machine: words, formats } = visit.words;
  const { partition, often, mean, nearlyAll, entries, calls, oldest, inbox, effects, minute } = words.columns;
  const rows = view.partitions.map((one) => [
    one.number,
    ...timesCells(visit, one),
    one.entriesPerCommit === undefined ? '–' : formats.precise(one.entriesPerCommit),
    formats.number(one.calls),
    formats.number(one.inbox),
    time(visit, oldestOf(one)),
    formats.number(one.effects),
    minuteOf(
      views,
      (earlier) => earlier.partitions.find(({ number }) => number === one.number),
      (row) => row.perSecond,
    ),
  ]);
  const columns = [partition, often, mean, nearlyAll, entries, calls, inbox, oldest, effects, minute];
  return table(words.partitions, columns, rows, words.nothing);
}

function lanes(visit: Reader, view: MachineView): Html {
  const { machine: words, formats } = visit.words;
  const { host, state, waiting, behind, since, error } = words.columns;
  const most = Math.max(...view.lanes.map(({ pending }) => pending), 1);
  const rows = view.lanes.map((lane) => {
    const { lastError, waitingSince, failingSince } = lane;
    return [
      html`<bdi>${lane.host}</bdi>`,
      words.states[lane.state],
      html`${formats.number(lane.pending)}${lane.hasMore && '+'} ${bar((lane.pending / most) * 0.9)}`,
      waitingSince === undefined ? '–' : fullTime(visit, waitingSince),
      failingSince === undefined ? '–' : fullTime(visit, failingSince),
      lastError === undefined ? '–' : html`${reasonOf(visit, lastError)} · ${fullTime(visit, lastError.at)}`,
    ];
  });
  return html`${table(words.lanes, [host, state, waiting, behind, since, error], rows, words.noLanes)}
${view.lanesMore > 0 && html`<p class="list fine">${words.moreLanes({ count: view.lanesMore })}</p>`}`;
}

function streams(visit: Reader, { channels }: MachineView): Html {
  const { machine: words, formats } = visit.words;
  const most = Math.max(...channels.map(({ count }) => count), 1);
  const { channel, open, unsent } = words.columns;
  const rows = channels.map(({ name, count, bytes }) => [
    html`<code lang="en">${name}</code>`,
    html`${formats.number(count)} ${bar((count / most) * 0.9)}`,
    formats.bytes(bytes),
  ]);
  return table(words.streams, [channel, open, unsent], rows, words.noStreams);
}

function caches(visit: Reader, view: MachineView): Html {
  const { machine: words, formats } = visit.words;
  const inUse = view.caches.filter(({ bytes }) => bytes > 0);
  const rows = inUse.map((cache) => [
    html`<code lang="en">${cache.name}</code>`,
    formats.bytes(cache.bytes),
    formats.bytes(cache.bytesMax),
    html`${formats.share(fullness(cache))} ${bar(fullness(cache))}`,
  ]);
  const { cache, held, bound, used } = words.columns;
  const empty = view.caches.length - inUse.length;
  return html`${table(words.caches, [cache, held, bound, used], rows, words.nothing)}
${empty > 0 && html`<p class="list fine">${words.emptyCaches({ count: empty })}</p>`}`;
}
