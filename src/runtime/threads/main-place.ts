/**
 * Asks where the main thread is, from another thread. The inspector interrupts running JavaScript, a wait for shared memory
 * and the collection of garbage; while the main thread is in other native code, such as a write that nobody reads, it
 * tells nothing.
 */
import { Session } from 'node:inspector';
import { describeFrames } from './call-frames.ts';

/** Calls back once, with its call frames, or never. The main thread stands still from then on. */
export function askMainPlace(tell: (place: string) => void): void {
  const session = new Session();
  session.connectToMainThread();
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => void urls.set(scriptId, url));
  session.once('Debugger.paused', ({ params: { callFrames } }) => tell(describeFrames(callFrames, urls)));
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}
