/**
 * Requests to stop the server: signals, and the end of the process that started it where there is a channel to it
 * (src/start.mjs opens one when it had to start another Node). From this call on no signal ends the process by itself;
 * handlers that src/start.mjs has installed are removed.
 */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborted by the first request; later ones change nothing. SIGHUP is none where `reload` answers that it has done something:
 * it means that a terminal was closed, or, to a server in the background, that files have changed.
 */
export function listenForStopRequest(reload: () => boolean = () => false): AbortSignal {
  const request = new AbortController();
  for (const signal of stopSignals) {
    // In this order: a signal without any listener, even for an instant, would be lost.
    const former = process.listeners(signal);
    process.on(signal, () => {
      if (signal !== 'SIGHUP' || !reload()) request.abort();
    });
    for (const listener of former) process.off(signal, listener);
  }
  if (process.channel !== undefined) {
    process.once('disconnect', () => request.abort());
    // Listening alone would keep the process alive.
    process.channel?.unref();
  }
  return request.signal;
}
