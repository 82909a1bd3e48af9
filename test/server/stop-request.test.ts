/** A signal that comes while the listeners are exchanged is heard. */
import { expect, onTestFinished, test } from 'vitest';
import { listenForStopRequest } from '../../src/server/stop-request.ts';
import { until } from '../support/until.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

test.each(signals)('%s just before the server takes over is a request to stop', async (signal) => {
  const kept = new Map([...signals, 'disconnect'].map((name) => [name, process.rawListeners(name)]));
  onTestFinished(() => {
    for (const [name, listeners] of kept)
      for (const listener of process.rawListeners(name))
        if (!listeners.includes(listener)) process.off(name, listener as () => void);
  });
  const starter = () => undefined;
  process.on(signal, starter);
  process.kill(process.pid, signal);
  const request = listenForStopRequest();
  await until(() => request.aborted);
  expect(process.listeners(signal)).not.toContain(starter);
});
