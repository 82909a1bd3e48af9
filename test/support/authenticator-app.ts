/** An authenticator app: it has a secret, and shows the code of a moment. */
import { Secret, TOTP } from 'otpauth';
import type { AccountCaller } from '../../src/operations/caller.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { enableTotp } from '../../src/operations/two-factor/manage-totp.ts';
import { offerTotp } from '../../src/operations/two-factor/totp.ts';
import type { Services } from '../../src/services/services.ts';

export class AuthenticatorApp {
  private readonly totp: TOTP;

  constructor(secret: string) {
    this.totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
  }

  /** `at` in milliseconds since 1970. */
  code(at: number): string {
    return this.totp.generate({ timestamp: at });
  }
}

/** Sets an app up for an account. */
export async function setUpApp(
  services: Services,
  account: { readonly id: bigint; readonly username: string; readonly password: string },
): Promise<{ app: AuthenticatorApp; recoveryCodes: readonly string[] }> {
  const { id: accountId, username, password } = account;
  const caller: AccountCaller = { kind: 'account', accountId, limits: unlimited };
  const { sealed, secret } = await offerTotp(services, accountId, username, undefined);
  const app = new AuthenticatorApp(secret);
  const wish = { sealed, password, code: '', browser: '', appCode: app.code(services.now()) };
  const { recoveryCodes } = await enableTotp({ caller, services }, wish);
  return { app, recoveryCodes };
}
