/** When a server has nothing left to do, such as building an index after its first start. */
import { exactCpuMicrosecondsOf } from './process-cpu.ts';

const windowMilliseconds = 500;
const busyShareMax = 0.05;
const windowsMax = 600;

/** Settles after half a second without work worth mentioning. Throws where there is none within five minutes. */
export async function atRest({ processId }: { readonly processId: number }): Promise<void> {
  for (let windows = 0; windows < windowsMax; windows += 1) {
    const before = exactCpuMicrosecondsOf(processId);
    await new Promise((resolve) => setTimeout(resolve, windowMilliseconds));
    if (exactCpuMicrosecondsOf(processId) - before < busyShareMax * windowMilliseconds * 1_000) return;
  }
  throw new Error('the server does not come to rest');
}
