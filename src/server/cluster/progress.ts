/** How far the logs were read, told again and again while it takes long. */
import { progressBar } from '../progress-bar.ts';

interface Read {
  /** Records that it had when it was last asked, and that were not read yet. */
  readonly unread: number;
}

const tellMilliseconds = 3_000;

/** Returns what ends it. */
export function tellProgress(
  logs: readonly Read[],
  tell: (sentence: string) => void,
  everyMilliseconds = tellMilliseconds,
): () => void {
  /** Of each partition, how much there was to read at most. */
  const most = logs.map(() => 0);
  const timer = setInterval(() => {
    for (const [partition, { unread }] of logs.entries()) {
      most[partition] = Math.max(most[partition]!, unread);
      if (unread === 0) continue;
      const bar = progressBar(most[partition]! - unread, most[partition]!);
      tell(`${bar}  Partition ${partition + 1} of ${logs.length} follows its log: ${unread} records to read.`);
    }
  }, everyMilliseconds).unref();
  return () => clearInterval(timer);
}
