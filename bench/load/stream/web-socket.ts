/** One WebSocket of a load generator, over a plain socket: as cheap as a client can be, ten thousand fit in a process. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { FrameReader, pingOpcode } from './frames.ts';

/** An empty pong, masked with zeros. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const headEnd = '\r\n\r\n';

export interface WebSocketTarget {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly isSecure?: boolean;
  /** Further headers of the upgrade. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of this machine, from which it comes. */
  readonly localAddress?: string;
}

export class UpgradeRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the upgrade was answered with ${status}`);
    this.status = status;
  }
}

export class ReceivingWebSocket {
  private readonly socket: Socket;
  private closing = false;

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  /**
   * Settles when the upgrade is answered. `text` gets each message; `closed` hears when the other side ends a connection that
   * was open.
   */
  static open(
    target: WebSocketTarget,
    text: (payload: Buffer) => void,
    closed: () => void = () => {
      throw new Error('the server closed a socket');
    },
  ): Promise<ReceivingWebSocket> {
    return new Promise((resolve, reject) => {
      const socket = connectionTo(target);
      const opened = new ReceivingWebSocket(socket);
      const frames = new FrameReader({
        text,
        control: (opcode) => {
          if (opcode === pingOpcode) socket.write(pong);
        },
      });
      let head: Buffer | undefined = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        if (head === undefined) {
          frames.received(chunk);
          return;
        }
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf(headEnd);
        if (end < 0) return;
        const status = Number(head.toString('latin1', 9, 12));
        if (status !== 101) {
          reject(new UpgradeRefused(status));
          opened.close();
          return;
        }
        const rest = head.subarray(end + headEnd.length);
        head = undefined;
        resolve(opened);
        if (rest.length > 0) frames.received(rest);
      });
      socket.on('error', reject);
      socket.on('close', () => {
        if (head !== undefined) reject(new Error('the connection was closed instead of an answer'));
        else if (!opened.closing) closed();
      });
      socket.write(upgradeRequest(target));
    });
  }

  close(): void {
    this.closing = true;
    this.socket.destroy();
  }
}

function connectionTo({ host, port, isSecure, localAddress }: WebSocketTarget): Socket {
  const place = { host, port, ...(localAddress === undefined ? {} : { localAddress }) };
  return isSecure === true ? connectSecurely({ ...place, servername: host }) : connect(place);
}

function upgradeRequest({ host, port, path, token, headers = {} }: WebSocketTarget): string {
  const all = { Host: `${host}:${port}`, ...headers };
  return [
    `GET ${path} HTTP/1.1`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Authorization: Bearer ${token}`,
    headEnd,
  ]
    .join('\r\n')
    .slice(0, -2);
}
