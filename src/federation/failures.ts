/** What federation refuses with. */
import { Failure, isTemporary } from '../runtime/errors.ts';

declare module '../runtime/errors.ts' {
  interface FailureCodes {
    federation: 'signatureInvalid' | 'remoteUnreachable';
  }
}

/** Neither this server nor another one could do it now: the same may succeed later. */
export function mayPass(error: unknown): boolean {
  return isTemporary(error) || (error instanceof Failure && error.code === 'remoteUnreachable');
}
