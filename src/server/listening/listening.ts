/**
 * What the main thread does so that clients reach the gateways: it examines the options and certificates, keeps a changed
 * certificate served, leads browsers from HTTP to HTTPS, and removes Unix sockets at the end.
 */
import type { CertificateFiles } from '../../gateway/http/native-apps.ts';
import type { PlainServer } from '../../gateway/operator/plain-server.ts';
import type { Options } from '../../options/table.ts';
import type { Problem } from '../../runtime/ports.ts';
import { assertPortFree } from '../free-port.ts';
import { readCertificate } from './certificate.ts';
import { type CertificateTurn, CertificateWatch } from './certificate-watch.ts';
import { assertSocketFree, removeSockets, socketPaths } from './unix-socket.ts';

type ListeningOptions = Pick<
  Options,
  | 'host'
  | 'origin'
  | 'tlsCertificate'
  | 'tlsKey'
  | 'redirectPort'
  | 'acmeFolder'
  | 'socket'
  | 'socketMode'
  | 'trustedProxies'
  | 'cluster'
  | 'clusterPassesOn'
>;

export interface ListeningInput {
  readonly options: ListeningOptions;
  /** How many gateways there will be. */
  readonly gateways: number;
  readonly dataDirectory: string;
  /** Where the server speaks TLS. */
  readonly turn: CertificateTurn | undefined;
  now(): number;
  report(problem: Problem): void;
}

/** The operator's files, where the server speaks TLS itself. */
function certificateOf({ tlsCertificate, tlsKey }: ListeningOptions): CertificateFiles | undefined {
  return tlsCertificate === undefined || tlsKey === undefined
    ? undefined
    : { certificate: tlsCertificate, key: tlsKey };
}

/** Throws an Error whose message is a sentence for the operator. */
export function assertListening(options: ListeningOptions, now: number): void {
  const { tlsCertificate, tlsKey, redirectPort, acmeFolder, socket, trustedProxies, origin } = options;
  const { cluster, clusterPassesOn } = options;
  if ((tlsCertificate === undefined) !== (tlsKey === undefined))
    throw new Error('TLS needs both: MURMURATION_TLS_CERTIFICATE and MURMURATION_TLS_KEY.');
  const files = certificateOf(options);
  if (socket !== undefined && files !== undefined)
    throw new Error(
      'On a Unix socket (MURMURATION_SOCKET) the proxy speaks TLS: leave out MURMURATION_TLS_CERTIFICATE.',
    );
  if (socket !== undefined && trustedProxies === 0)
    throw new Error(
      'Who comes through a Unix socket has no address but what the proxy says: set MURMURATION_TRUSTED_PROXIES to 1.',
    );
  if (cluster !== undefined && socket !== undefined)
    throw new Error(
      'The nodes of a cluster (MURMURATION_CLUSTER) are reached from other machines: leave out MURMURATION_SOCKET.',
    );
  if (clusterPassesOn && files !== undefined)
    throw new Error(
      'A node that passes connections on (MURMURATION_CLUSTER_PASS_ON) cannot say whose they are where it speaks TLS itself: the node that serves would take all clients for one. Leave one of the two out.',
    );
  if (redirectPort !== 0 && files === undefined)
    throw new Error('Only a server that speaks TLS can redirect to it: set MURMURATION_TLS_CERTIFICATE.');
  if (redirectPort === 0 && acmeFolder !== undefined)
    throw new Error(
      'The folder MURMURATION_ACME_FOLDER is served on the redirect port: set MURMURATION_REDIRECT_PORT.',
    );
  if (files !== undefined && !origin.startsWith('https:'))
    throw new Error(`The server speaks TLS, so its origin begins with https, unlike ${origin} (MURMURATION_ORIGIN).`);
  if (files !== undefined) readCertificate(files, new URL(origin).hostname, now);
}

export class Listening {
  private readonly input: ListeningInput;
  private readonly watch: CertificateWatch | undefined;
  private redirecting: PlainServer | undefined;
  /** Of this server alone: what is at the path of another one belongs to somebody else. */
  private readonly sockets: string[] = [];

  /** Throws an Error whose message is a sentence for the operator. */
  constructor(input: ListeningInput) {
    this.input = input;
    const { options, turn, now, report } = input;
    const files = certificateOf(options);
    if (files !== undefined && turn !== undefined)
      this.watch = new CertificateWatch({ files, host: new URL(options.origin).hostname, turn, now, report });
  }

  /** Before the gateways start. Rejects with an Error whose message is a sentence for the operator. */
  async begin(): Promise<void> {
    const { options, dataDirectory } = this.input;
    for (const path of this.socketsWanted) {
      await assertSocketFree(path);
      this.sockets.push(path);
    }
    if (options.redirectPort !== 0) {
      await assertPortFree(options.host, options.redirectPort);
      const { redirect } = await import('./redirect-port.ts');
      const { servePlain } = await import('../../gateway/operator/plain-server.ts');
      this.redirecting = await servePlain({
        host: options.host,
        port: options.redirectPort,
        connectionsMax: redirectConnectionsMax,
        answer: redirect(options),
      });
    }
    this.watch?.start(dataDirectory);
  }

  /** For a server on this thread: hands over the certificate, at once and whenever it has changed. Undefined without TLS. */
  get certificate(): CertificateWatch['follow'] | undefined {
    const { watch } = this;
    return watch && ((take) => watch.follow(take));
  }

  /** Looks whether the certificate has changed, at once. False where there is none. */
  reload(): boolean {
    this.watch?.look();
    return this.watch !== undefined;
  }

  /** After the gateways have stopped. */
  async end(): Promise<void> {
    await this.redirecting?.close();
    this.watch?.stop();
    removeSockets(this.sockets);
  }

  private get socketsWanted(): readonly string[] {
    const { options, gateways } = this.input;
    return options.socket === undefined ? [] : socketPaths(options.socket, gateways);
  }
}

/** It is open to everybody. */
const redirectConnectionsMax = 1_024;
