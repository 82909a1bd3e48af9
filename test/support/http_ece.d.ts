declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface DecryptParameters {
    readonly version: 'aesgcm' | 'aes128gcm';
    readonly privateKey: ECDH;
    /** base64url, as the other texts. */
    readonly authSecret: string;
    readonly dh?: string;
    readonly salt?: string;
  }
  /** Throws an Error for a text that was changed, or is for another key. */
  export function decrypt(body: Buffer, parameters: DecryptParameters): Buffer;
}
