/** The most that a process has had of its own memory, of looks at intervals. */
import { residentBytesOf } from './process-cpu.ts';

const lookMilliseconds = 100;

export interface MemoryWatch {
  stop(): void;
  most(): number;
}

export function watchMemory(processId: number): MemoryWatch {
  let most = residentBytesOf(processId).own;
  const look = () => {
    most = Math.max(most, residentBytesOf(processId).own);
  };
  const timer = setInterval(look, lookMilliseconds);
  return {
    stop: () => clearInterval(timer),
    most() {
      look();
      return most;
    },
  };
}
