/**
 * Handles a closed standard output, as in `murmuration status --watch | head`, or when the program that reads the log
 * has ended. A server continues without it, and a command ends in order. Without a listener the error would end the
 * process.
 */

/** Aborted when the standard output or the standard error is closed by whoever reads it. */
export function listenForClosedOutput(): AbortSignal {
  const closed = new AbortController();
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      closed.abort();
    });
  return closed.signal;
}
