/** The lines of `top`: as many of each list as the terminal has room for. */
import { fullness, lagOf, type MachineView, oldestOf, type Times } from '../machine/machine-view.ts';

export interface TopPlace {
  readonly columns: number;
  readonly rows: number;
  /** Without colours, for files and scripts. */
  readonly isPlain: boolean;
}

interface Section {
  readonly title: string;
  readonly rows: readonly string[];
  /** Its share of the room that there is. */
  readonly weight: number;
}

const bold = '\u001b[1m';
const reverse = '\u001b[7m';
const usual = '\u001b[0m';
const barCharacters = 16;

export function topLines(view: MachineView, { columns, rows, isPlain }: TopPlace): string[] {
  const cut = (text: string) => [...text].slice(0, columns).join('');
  const head = headLines(view).map(cut);
  const sections = [actors(view), turns(view), partitions(view), lanes(view), streams(view), caches(view)];
  const room = Math.max(0, rows - head.length - 2 * sections.length);
  const shown = shares(sections, room);
  const body = sections.flatMap(({ title, rows: all }, index) => {
    const lines = all.slice(0, shown[index]).map(cut);
    return ['', isPlain ? cut(title) : reverse + cut(title).padEnd(columns) + usual, ...lines];
  });
  const [first = '', ...others] = head;
  return [isPlain ? first : bold + first + usual, ...others, ...body].slice(0, rows);
}

/** What one does not need goes to the others, in order. */
function shares(sections: readonly Section[], room: number): number[] {
  const weights = sections.reduce((sum, { weight }) => sum + weight, 0);
  const fair = sections.map(({ rows, weight }) => Math.min(rows.length, Math.floor((room * weight) / weights)));
  let left = room - fair.reduce((sum, count) => sum + count, 0);
  return sections.map(({ rows }, index) => {
    const more = Math.min(left, rows.length - fair[index]!);
    left -= more;
    return fair[index]! + more;
  });
}

function headLines(view: MachineView): string[] {
  const { memory, requests } = view;
  return [
    `murmuration top  ${new Date(view.at).toISOString()}  up ${duration(view.uptimeSeconds)}  rates of ${figure(view.seconds)} s  q quits`,
    `processors ${figure(view.processors)}, waited for ${figure(view.processorsWaited)}   memory ${bytes(memory.anonymous)}${memory.max > 0 ? ` of ${bytes(memory.max)}` : ''}: heaps ${bytes(memory.heaps)}, buffers ${bytes(memory.buffers)}; files ${bytes(memory.mapped)}`,
    `requests ${figure(requests.perSecond)}/s, p99 ${time(requests.p99)}, ${view.requestsInFlight} under way   turns ${figure(view.turnsPerSecond)}/s   commits ${figure(view.commitsPerSecond)}/s   events ${figure(view.eventsPerSecond)}/s   streams ${view.streams}`,
  ];
}

function actors({ actors: all }: MachineView): Section {
  return {
    title: columnsOf('ACTORS', 'WAITING', 'LONGEST', 'TURNS', 'TIME'),
    rows: all.map((one) => {
      const figures = [String(one.waiting), String(one.longest), `${figure(one.turnsPerSecond)}/s`, share(one.share)];
      return `${columnsOf(one.kind, ...figures)}  ${bar(one.share)}`;
    }),
    weight: 2,
  };
}

function turns({ turns: all }: MachineView): Section {
  return {
    title: columnsOf('MESSAGES', 'RATE', 'MEAN', 'P99', 'TIME'),
    rows: all.map((turn) => `${columnsOf(turn.message, ...timesOf(turn), share(turn.share))}  ${bar(turn.share)}`),
    weight: 4,
  };
}

function partitions({ partitions: all }: MachineView): Section {
  return {
    title: columnsOf('PARTITIONS', 'COMMITS', 'MEAN', 'P99', 'WRITES EACH', 'CALLS', 'OLDEST', 'INBOX', 'EFFECTS'),
    rows: all.map((one) =>
      columnsOf(
        ...[one.number, ...timesOf(one), figure(one.entriesPerCommit ?? 0), String(one.calls)],
        ...[time(oldestOf(one)), String(one.inbox), String(one.effects)],
      ),
    ),
    weight: 3,
  };
}

function lanes({ lanes: all, lanesMore, at }: MachineView): Section {
  const rows = all.map((lane) => {
    const since = lane.failingSince === undefined ? '-' : new Date(lane.failingSince).toISOString().slice(0, 16);
    const error =
      lane.lastError === undefined ? '-' : String(lane.lastError.status ?? lane.lastError.fault ?? 'silence');
    const lag = lagOf(lane, at);
    const behind = lag === undefined ? '-' : duration(lag);
    // Names of faults are longer than other figures: they come last.
    return columnsOf(lane.host, lane.state, `${lane.pending}${lane.hasMore ? '+' : ''}`, behind, since, error);
  });
  const more = lanesMore === 0 ? [] : [`and ${lanesMore} more`];
  return {
    title: columnsOf('DELIVERIES, SERVER', 'STATE', 'WAITING', 'BEHIND', 'FAILS SINCE', 'LAST ERROR'),
    rows: [...rows, ...more],
    weight: 3,
  };
}

function streams({ channels }: MachineView): Section {
  return {
    title: columnsOf('STREAMS, CHANNEL', 'OPEN', 'UNSENT'),
    rows: channels.map(({ name, count, bytes: unsent }) => columnsOf(name, String(count), bytes(unsent))),
    weight: 1,
  };
}

function caches({ caches: all }: MachineView): Section {
  return {
    title: columnsOf('CACHES', 'HELD', 'BOUND', 'USED'),
    rows: all.map((cache) => {
      const used = fullness(cache);
      return `${columnsOf(cache.name, bytes(cache.bytes), bytes(cache.bytesMax), share(used))}  ${bar(used)}`;
    }),
    weight: 2,
  };
}

/** The first column is a name, the others are figures. */
function columnsOf(name: string, ...figures: readonly string[]): string {
  const first = [...name].length > 40 ? `${[...name].slice(0, 39).join('')}…` : name.padEnd(40);
  return first + figures.map((one) => ` ${one.padStart(10)}`).join('');
}

function timesOf(times: Times): readonly string[] {
  return [`${figure(times.perSecond)}/s`, time(times.mean), time(times.p99)];
}

function bar(part: number): string {
  const full = Math.round(Math.min(1, Math.max(0, part)) * barCharacters);
  return '█'.repeat(full) + '░'.repeat(barCharacters - full);
}

function share(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

function time(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  if (seconds === Number.POSITIVE_INFINITY) return 'longer';
  return seconds >= 1 ? `${figure(seconds)} s` : `${Number((seconds * 1_000).toPrecision(3))} ms`;
}

function bytes(value: number): string {
  return `${figure(value / 1_048_576)} MB`;
}

function duration(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  return `${days === 0 ? '' : `${days} days `}${new Date((seconds % 86_400) * 1_000).toISOString().slice(11, 19)}`;
}
