/**
 * undici releases a connection one step of the event loop after the end of its response. A request to the same host
 * before that would open a second connection, so results are delivered after that step: this halves the handshakes.
 */
export function afterReuse(tell: () => void): void {
  // The microtask lets undici queue its step first; immediates then run in order.
  queueMicrotask(() => setImmediate(tell));
}
