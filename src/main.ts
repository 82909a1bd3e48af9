/**
 * The composition root, and the entry of every thread of the server. Holds no command: commands are src/gateway/operator/cli.
 */
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { currentThread } from './runtime/threads/thread.ts';
import { runRole } from './server/roles.ts';
import type { Shared } from './server/shared.ts';

if (isMainThread) {
  const { runMain } = await import('./server/main-thread.ts');
  await runMain({
    programArguments: process.argv.slice(2),
    environment: process.env,
    configurationFolder: join(process.cwd(), 'config'),
    entry: new URL(import.meta.url),
    cores: availableParallelism(),
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  });
} else {
  await runRole(currentThread<Shared>());
}
