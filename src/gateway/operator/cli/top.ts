/** `top`: what a running server does, on the whole terminal, once a second until `q`. Or once, for scripts. */
import { setTimeout } from 'node:timers/promises';
import type { AdminConnection } from '../admin/client.ts';
import { AdminAnswer } from '../admin/requests.ts';
import { type MachineView, machineView } from '../machine/machine-view.ts';
import type { MachineSample } from '../machine/sample.ts';
import { topLines } from './top-lines.ts';

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** Calls back for each key and each change of size, until the returned function is called. */
  listen(key: (text: string) => void, resized: () => void): () => void;
}

const alternateScreen = '\u001b[?1049h\u001b[?25l';
const usualScreen = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const clearRestOfLine = '\u001b[K';
const clearRestOfScreen = '\u001b[J';
const controlC = '\u0003';

/** Rejects with an Error whose message is a sentence. */
async function sampleFrom(admin: AdminConnection): Promise<MachineSample> {
  const answer = AdminAnswer.parse(await admin.request({ command: 'top', input: {} }));
  if (!answer.ok) throw new Error(answer.sentence);
  if (answer.machine === undefined) throw new Error('The server does not tell what it does. Is it another version?');
  return answer.machine;
}

/** The output of `--once`: rates of one interval. */
export async function topOnce(
  admin: AdminConnection,
  asJson: boolean,
  intervalMilliseconds: number,
): Promise<string[]> {
  const before = await sampleFrom(admin);
  await setTimeout(intervalMilliseconds);
  const view = machineView(await sampleFrom(admin), before);
  return asJson ? [JSON.stringify(view)] : topLines(view, { columns: 120, rows: 1_000, isPlain: true });
}

/** Resolves when `q` is pressed, or the signal is aborted. */
export async function watchTop(
  admin: AdminConnection,
  terminal: Terminal,
  signal: AbortSignal,
  pauseMilliseconds: number,
): Promise<void> {
  const quit = new AbortController();
  const ended = AbortSignal.any([signal, quit.signal]);
  let view: MachineView | undefined;
  const show = (): void => {
    if (view === undefined || ended.aborted) return;
    const { columns, rows } = terminal;
    const lines = topLines(view, { columns, rows, isPlain: false });
    terminal.write(home + lines.map((line) => line + clearRestOfLine).join('\r\n') + clearRestOfScreen);
  };
  const stopListening = terminal.listen((key) => {
    if (key === 'q' || key === controlC) quit.abort();
  }, show);
  terminal.write(alternateScreen);
  try {
    let before: MachineSample | undefined;
    while (!ended.aborted) {
      const sample = await sampleFrom(admin);
      view = machineView(sample, before);
      before = sample;
      show();
      await setTimeout(pauseMilliseconds, undefined, { signal: ended }).catch(ignoreAbort);
    }
  } finally {
    terminal.write(usualScreen);
    stopListening();
  }
}

function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error;
}

/** The terminal of this process. Keys arrive one by one, where it is one. */
export function ownTerminal(): Terminal {
  const { stdin, stdout } = process;
  return {
    get columns() {
      return stdout.columns ?? 80;
    },
    get rows() {
      return stdout.rows ?? 24;
    },
    write: (text) => void stdout.write(text),
    listen(key, resized) {
      const pressed = (data: Buffer): void => key(data.toString());
      if (stdin.isTTY) stdin.setRawMode(true);
      stdin.on('data', pressed).resume();
      stdout.on('resize', resized);
      return () => {
        stdin.off('data', pressed).pause();
        if (stdin.isTTY) stdin.setRawMode(false);
        stdout.off('resize', resized);
      };
    },
  };
}
