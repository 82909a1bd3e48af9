/** The failure codes of federation. */
import { Failure, isTemporary } from '../runtime/errors.ts';

declare module '../runtime/errors.ts' {
  interface FailureCodes {
    federation: 'signatureInvalid' | 'remoteUnreachable';
  }
}

/** True for temporary failures of this server or of another: the same request may succeed later. */
export function mayPass(error: unknown): boolean {
  return isTemporary(error) || (error instanceof Failure && error.code === 'remoteUnreachable');
}
