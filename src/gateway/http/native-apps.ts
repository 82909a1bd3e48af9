/**
 * The native apps of a server, seen as one. Without TLS there is one app. With TLS each certificate has an app of its own,
 * because the library cannot exchange that of an app: a further app, which serves nothing, accepts the connections and hands
 * each to the newest. Apps of former certificates keep their connections, and get none any more.
 *
 * INVARIANT: the sockets that listen are never closed before the end, so no connection is lost while a certificate is
 * exchanged.
 */
import {
  App,
  type RecognizedString,
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocketBehavior,
} from 'uWebSockets.js';

/** Paths of PEM files: the certificate with those that lead to its authority, and its key. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** An app can hand the connections that it accepts to others, in turn. The package does not declare it. */
interface SecureApp extends TemplatedApp {
  getDescriptor(): unknown;
  addChildAppDescriptor(descriptor: unknown): void;
  removeChildAppDescriptor(descriptor: unknown): void;
}

/** What streams need of it. */
export type StreamingApp = Pick<NativeApps, 'ws' | 'publish'>;

/** More than certificates that are in use within the life of a connection; the oldest app closes its connections. */
const appsMax = 4;

export class NativeApps {
  private readonly acceptor: SecureApp | undefined;
  private newest: TemplatedApp;
  /** Newest first. */
  private readonly apps: TemplatedApp[];
  /** What each app serves, in the order in which it was declared: patterns of the library are tried in this order. */
  private readonly declarations: ((app: TemplatedApp) => void)[] = [];
  private readonly listenSockets: us_listen_socket[] = [];
  private isClosed = false;

  /** Throws an Error where the library refuses the files. */
  constructor(files?: CertificateFiles) {
    if (files === undefined) this.newest = App();
    else {
      const app = secureApp(files);
      this.acceptor = secureApp(files);
      this.acceptor.addChildAppDescriptor(app.getDescriptor());
      this.newest = app;
    }
    this.apps = [this.newest];
  }

  /** Call before `listen`. */
  declare(declaration: (app: TemplatedApp) => void): void {
    this.declarations.push(declaration);
    for (const app of this.apps) declaration(app);
  }

  /** Call before `listen`. */
  ws<Data>(pattern: RecognizedString, behaviour: WebSocketBehavior<Data>): this {
    this.declare((app) => void app.ws(pattern, behaviour));
    return this;
  }

  publish(topic: RecognizedString, message: RecognizedString, isBinary?: boolean, compress?: boolean): void {
    for (const app of this.apps) app.publish(topic, message, isBinary, compress);
  }

  /** Connections from now on get this certificate. Throws an Error where the library refuses the files. */
  exchange(files: CertificateFiles): void {
    const { acceptor, isClosed } = this;
    if (acceptor === undefined || isClosed) return;
    const app = secureApp(files);
    for (const declaration of this.declarations) declaration(app);
    acceptor.addChildAppDescriptor(app.getDescriptor());
    acceptor.removeChildAppDescriptor((this.newest as SecureApp).getDescriptor());
    this.newest = app;
    this.apps.unshift(app);
    for (const oldest of this.apps.splice(appsMax)) oldest.close();
  }

  /** Returns the port. Throws an Error where listening is impossible. */
  listen(host: string, port: number): number {
    const socket = this.opened(`on ${host}, port ${port}`, (app, take) => void app.listen(host, port, take));
    return us_socket_local_port(socket);
  }

  /** Replaces what is at the path. Throws an Error where listening is impossible. */
  listenUnix(path: string): void {
    this.opened(`at ${path}`, (app, take) => void app.listen_unix(take, path));
  }

  private opened(
    place: string,
    open: (app: TemplatedApp, take: (socket: us_listen_socket | false) => void) => void,
  ): us_listen_socket {
    const sockets: us_listen_socket[] = [];
    open(this.acceptor ?? this.newest, (socket) => {
      if (socket !== false) sockets.push(socket);
    });
    const [socket] = sockets;
    if (socket === undefined) throw new Error(`Cannot listen ${place}`);
    this.listenSockets.push(socket);
    return socket;
  }

  stopListening(): void {
    for (const socket of this.listenSockets) us_listen_socket_close(socket);
  }

  /** Closes every connection. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.acceptor?.close();
    for (const app of this.apps) app.close();
  }
}

function secureApp({ certificate, key }: CertificateFiles): SecureApp {
  return SSLApp({ cert_file_name: certificate, key_file_name: key }) as SecureApp;
}
