/**
 * Who asks the server to stop: signals, and the end of the process that started it where there is a channel to it
 * (src/start.mjs opens one when it had to start another Node). From the call on no signal ends the process by itself;
 * what src/start.mjs did about them until then is over.
 */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborted by the first request; later ones change nothing. */
export function listenForStopRequest(): AbortSignal {
  const request = new AbortController();
  for (const signal of stopSignals) {
    // In this order: a signal that comes while nobody listens, if only for an instant, is lost.
    const former = process.listeners(signal);
    process.on(signal, () => request.abort());
    for (const listener of former) process.off(signal, listener);
  }
  if (process.channel !== undefined) {
    process.once('disconnect', () => request.abort());
    // Listening alone would keep the process alive.
    process.channel?.unref();
  }
  return request.signal;
}
