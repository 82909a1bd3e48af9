/** Where a thread is, as the inspector tells it (Chrome DevTools protocol). */

export interface CallFrame {
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
}

const framesMax = 12;

/** One line for each of the innermost frames, as in a stack. `urls`: of scripts by their ids. */
export function describeFrames(frames: readonly CallFrame[], urls: ReadonlyMap<string, string>): string {
  return frames
    .slice(0, framesMax)
    .map(({ functionName, location: { scriptId, lineNumber } }) => {
      return `    at ${functionName === '' ? '(anonymous)' : functionName} (${urls.get(scriptId) ?? ''}:${lineNumber + 1})`;
    })
    .join('\n');
}
