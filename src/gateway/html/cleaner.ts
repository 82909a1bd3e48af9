/** The cleaner of remote HTML that a thread uses, with its slow path in the CPU pool. */
import type { Pool } from '../../runtime/pool/pool.ts';
import { type CleanRemoteHtml, createRemoteHtmlCleaner } from './remote-html.ts';

const task = new URL('./sanitize.task.ts', import.meta.url);
const deadlineMilliseconds = 10_000;

export function createHtmlCleaner(pool: Pool): CleanRemoteHtml {
  return createRemoteHtmlCleaner((batch) =>
    pool.run<string[]>(task, 'sanitizeRemoteHtmlBatch', batch, deadlineMilliseconds),
  );
}
