/** `status --watch`: the state of a running server on the whole terminal, refreshed until interrupted. */
import { setTimeout } from 'node:timers/promises';
import type { AdminConnection } from '../admin/client.ts';
import { AdminAnswer } from '../admin/requests.ts';
import { type Summary, summaryLines } from '../metrics/summary.ts';

export interface Screen {
  write(text: string): void;
}

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
const clear = '\u001b[2J';
const home = '\u001b[H';
const clearRestOfLine = '\u001b[K';
const clearRestOfScreen = '\u001b[J';

/** Resolves when the signal is aborted. Rejects with an Error whose message is a sentence. */
export async function watchStatus(
  admin: AdminConnection,
  screen: Screen,
  signal: AbortSignal,
  pauseMilliseconds: number,
): Promise<void> {
  let before: Summary | undefined;
  screen.write(hideCursor + clear);
  try {
    while (!signal.aborted) {
      const answer = AdminAnswer.parse(await admin.request({ command: 'status', input: { live: true } }));
      if (!answer.ok) throw new Error(answer.sentence);
      const { lines, summary } = answer;
      const shown = summary === undefined ? lines : [...lines, '', ...summaryLines(summary, before)];
      screen.write(home + shown.map((line) => `${line}${clearRestOfLine}\n`).join('') + clearRestOfScreen);
      before = summary;
      await setTimeout(pauseMilliseconds, undefined, { signal }).catch(ignoreAbort);
    }
  } finally {
    screen.write(showCursor);
  }
}

function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error;
}
