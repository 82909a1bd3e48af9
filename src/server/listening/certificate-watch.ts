/**
 * Sees that the certificate of the server has changed, and has the gateways serve the new one. The main thread looks at the
 * operator's files; what can be served it copies into the data folder, and counts up a turn in shared memory, which gateways
 * look at once a second. So whatever happens to the operator's files, all gateways serve the same pair, which was examined,
 * and one that is replaced can serve it too.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CertificateFiles } from '../../gateway/http/native-apps.ts';
import type { Problem } from '../../runtime/ports.ts';
import { certificateFolder } from '../folder/data-folder.ts';
import { type ReadCertificate, readCertificate } from './certificate.ts';

/** How many certificates there were before, since the start. */
export type CertificateTurn = Int32Array<SharedArrayBuffer>;

export interface CertificateWatchInput {
  readonly files: CertificateFiles;
  /** Of the origin. */
  readonly host: string;
  readonly turn: CertificateTurn;
  now(): number;
  report(problem: Problem): void;
}

const lookMilliseconds = 10_000;
const followMilliseconds = 1_000;
const onlyOurs = { mode: 0o600 };

export function createCertificateTurn(): CertificateTurn {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** The copies of a turn, of a server with this data folder. */
export function servedFiles(dataDirectory: string, turn: number): CertificateFiles {
  const folder = certificateFolder(dataDirectory);
  return { certificate: join(folder, `certificate-${turn}.pem`), key: join(folder, `key-${turn}.pem`) };
}

export class CertificateWatch {
  private readonly input: CertificateWatchInput;
  private served: ReadCertificate;
  private dataDirectory: string | undefined;
  /** Told once, until something else is the case. */
  private reported = '';
  private timer: NodeJS.Timeout | undefined;
  private follower: ((served: ReadCertificate) => void) | undefined;

  /** Nothing is created yet. Throws an Error whose message is a sentence for the operator. */
  constructor(input: CertificateWatchInput) {
    this.input = input;
    this.served = readCertificate(input.files, input.host, input.now());
  }

  /** From now on gateways can serve it. */
  start(dataDirectory: string): void {
    this.dataDirectory = dataDirectory;
    rmSync(certificateFolder(dataDirectory), { recursive: true, force: true });
    mkdirSync(certificateFolder(dataDirectory), { mode: 0o700 });
    this.copy(Atomics.load(this.input.turn, 0));
    this.timer = setInterval(() => this.look(), lookMilliseconds).unref();
  }

  /** For one server on this thread: hands over what is served, at once and whenever it has changed. Returns what ends that. */
  follow(take: (served: ReadCertificate) => void): () => void {
    this.follower = take;
    take(this.served);
    return () => {
      this.follower = undefined;
    };
  }

  /** Once the gateways have stopped. */
  stop(): void {
    clearInterval(this.timer);
    if (this.dataDirectory !== undefined)
      rmSync(certificateFolder(this.dataDirectory), { recursive: true, force: true });
    this.dataDirectory = undefined;
  }

  /** What is wrong with the new one is told once; the former one stays. */
  look(): void {
    const { files, host, turn, now, report } = this.input;
    if (this.dataDirectory === undefined) return;
    try {
      const read = readCertificate(files, host, now());
      this.reported = '';
      if (read.certificate === this.served.certificate && read.key === this.served.key) return;
      this.served = read;
      this.copy(Atomics.load(turn, 0) + 1);
      Atomics.add(turn, 0, 1);
      this.follower?.(read);
      const until = new Date(read.endsAt).toISOString();
      report({ level: 'info', message: `new connections get the new certificate, which is valid until ${until}` });
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      if (sentence === this.reported) return;
      this.reported = sentence;
      report({ level: 'error', message: `the former certificate is served: ${sentence}` });
    }
  }

  private copy(turn: number): void {
    const { served, dataDirectory, input } = this;
    for (const message of served.warnings) input.report({ level: 'warn', message });
    const { certificate, key } = servedFiles(dataDirectory!, turn);
    writeFileSync(certificate, served.certificate, onlyOurs);
    writeFileSync(key, served.key, onlyOurs);
    // That of the turn before may still be read.
    const { certificate: old, key: oldKey } = servedFiles(dataDirectory!, turn - 2);
    for (const path of [old, oldKey]) rmSync(path, { force: true });
  }
}

/** For a gateway: calls `exchange` with each turn after `seen`. Returns what ends it. */
export function followCertificate(
  turn: CertificateTurn,
  seen: number,
  exchange: (turn: number) => void,
  report: (problem: Problem) => void,
): () => void {
  let last = seen;
  const timer = setInterval(() => {
    const now = Atomics.load(turn, 0);
    if (now === last) return;
    last = now;
    try {
      exchange(now);
    } catch (error) {
      report({
        level: 'error',
        message: 'a gateway keeps the former certificate: the HTTP library refuses the new one',
        error,
      });
    }
  }, followMilliseconds).unref();
  return () => clearInterval(timer);
}
