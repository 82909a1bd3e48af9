/** Whether a certificate and its key can be served, before the HTTP library gets them: its own answer is yes or no. */
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { CertificateFiles } from '../../gateway/http/native-apps.ts';

/** A certificate and key that fit, as they are in the files now. */
export interface ReadCertificate {
  /** The content of the files. */
  readonly certificate: string;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  /** What the operator should know of it, as sentences. */
  readonly warnings: readonly string[];
}

/** `host`: of the origin. Throws an Error whose message is a sentence for the operator. */
export function readCertificate(
  { certificate: path, key: keyPath }: CertificateFiles,
  host: string,
  now: number,
): ReadCertificate {
  const pem = readText(path, 'certificate');
  const keyPem = readText(keyPath, 'key');
  const certificate = told(`The file ${path} has no certificate in PEM`, () => new X509Certificate(pem));
  const key = told(`The file ${keyPath} has no private key in PEM without a password`, () => createPrivateKey(keyPem));
  const isPair = createPublicKey(key)
    .export({ type: 'spki', format: 'der' })
    .equals(certificate.publicKey.export({ type: 'spki', format: 'der' }));
  if (!isPair) throw new Error(`The key in ${keyPath} is not that of the certificate in ${path}.`);
  // All certificates of the file, and that both are of a kind that TLS can use.
  told(`The certificate in ${path} cannot be used for TLS`, () => createSecureContext({ cert: pem, key: keyPem }));
  const endsAt = Date.parse(certificate.validTo);
  const warnings: string[] = [];
  if (endsAt <= now) warnings.push(`The certificate in ${path} has ended: ${certificate.validTo}.`);
  if (Date.parse(certificate.validFrom) > now)
    warnings.push(`The certificate in ${path} is not valid yet: ${certificate.validFrom}.`);
  if (!isFor(certificate, host)) warnings.push(`The certificate in ${path} is not for ${host}.`);
  return { certificate: pem, key: keyPem, endsAt, warnings };
}

/** An IPv6 address stands in brackets in origins. */
function isFor(certificate: X509Certificate, host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return (isIP(bare) === 0 ? certificate.checkHost(host) : certificate.checkIP(bare)) !== undefined;
}

function readText(path: string, what: string): string {
  return told(`The ${what} cannot be read`, () => readFileSync(path, 'utf8'));
}

/** OpenSSL's words would repeat nothing of a key, but say little: the sentence stands first. */
function told<Result>(sentence: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new Error(`${sentence} (${error instanceof Error ? error.message : String(error)}).`, { cause: error });
  }
}
