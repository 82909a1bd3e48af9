/** Checks a password that staff or the operator set for an account. */
import { Failure } from '../../runtime/errors.ts';
import { registrationLimits } from '../registration/limits.ts';

/** Throws Failure validation. */
export function checkPassword(password: string): void {
  const { passwordCharactersMin, passwordBytesMax } = registrationLimits;
  if (password.length >= passwordCharactersMin && Buffer.byteLength(password) <= passwordBytesMax) return;
  throw new Failure('validation', {
    text: `A password has at least ${passwordCharactersMin} characters and at most ${passwordBytesMax} bytes.`,
  });
}
