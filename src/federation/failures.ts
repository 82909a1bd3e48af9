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

/** For `catch`, around what may be missing: remoteUnreachable becomes undefined, any other error is thrown. */
export function onlyUnreachable(error: unknown): undefined {
  if (error instanceof Failure && error.code === 'remoteUnreachable') return undefined;
  throw error;
}

/** For `catch`: a Failure becomes undefined, any other error is thrown. */
export function ignoreFailure(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}
