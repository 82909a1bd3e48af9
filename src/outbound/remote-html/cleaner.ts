/** The sanitiser of remote HTML for a thread, with its slow path in the CPU pool. */

import { taskModule } from '../../options/project-files.ts';
import type { Pool } from '../../runtime/pool.ts';
import type { CleanRemoteHtml } from '../../services/clean-remote-html.ts';
import { createRemoteHtmlCleaner } from './remote-html.ts';

const task = taskModule('outbound/remote-html/sanitize.task');
const deadlineMilliseconds = 10_000;

export function createHtmlCleaner(pool: Pool): CleanRemoteHtml {
  return createRemoteHtmlCleaner((batch) =>
    pool.run<string[]>(task, 'sanitizeRemoteHtmlBatch', batch, deadlineMilliseconds),
  );
}
