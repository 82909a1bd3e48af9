/**
 * Interrupts a hung thread: reports where it hangs, and runs its exit handlers. Native sockets must be closed by their
 * own thread: `terminate` alone would end the process ("uv_loop_close() while having open handles"). The inspector can
 * interrupt running JavaScript, but not blocking native code.
 */
import { Session } from 'node:inspector';
import type { Worker } from 'node:worker_threads';
import { threadLimits } from '../limits.ts';
import { type CallFrame, describeFrames } from './call-frames.ts';

/** A message of the inspector about the thread (Chrome DevTools protocol). */
interface InspectorMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly scriptId?: string;
    readonly url?: string;
    readonly callFrames?: readonly CallFrame[];
  };
}

const exitRequest = 4;

/**
 * Returns where the thread was, once its exit handlers have run; the caller still has to terminate it. Undefined when
 * it could not be interrupted within the deadline; empty when it has ended by itself before.
 */
export function interruptThread(worker: Worker): Promise<string | undefined> {
  const { threadId } = worker;
  const session = new Session();
  session.connect();
  return new Promise((resolve) => {
    const deadline = setTimeout(() => resolve(undefined), threadLimits.interruptMilliseconds);
    const urls = new Map<string, string>();
    let thread: string | undefined;
    let place = '';
    worker.once('exit', () => {
      // Not earlier: a paused thread stays paused once nobody is connected, and cannot even be terminated.
      session.disconnect();
      clearTimeout(deadline);
      resolve(place);
    });
    const send = (id: number, method: string, params: object = {}) => {
      const message = JSON.stringify({ id, method, params });
      session.post('NodeWorker.sendMessageToWorker', { sessionId: thread!, message });
    };
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
      if (!workerInfo.title.startsWith(`[worker ${threadId}]`)) return;
      thread = sessionId;
      send(1, 'Debugger.enable');
      send(2, 'Debugger.pause');
    });
    session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
      if (sessionId !== thread) return;
      const { id, method, params } = JSON.parse(message) as InspectorMessage;
      if (method === 'Debugger.scriptParsed') urls.set(params!.scriptId!, params!.url!);
      if (method === 'Debugger.paused') {
        place = describeFrames(params!.callFrames!, urls);
        // A paused thread cannot end.
        send(3, 'Debugger.disable');
        send(exitRequest, 'Runtime.evaluate', { expression: 'process.exit()' });
      }
      if (id !== exitRequest) return;
      clearTimeout(deadline);
      resolve(place);
    });
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  });
}
