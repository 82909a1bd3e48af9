/** One WebSocket of a load generator, over a plain socket: as cheap as a client can be, ten thousand fit in a process. */
import { connect, type Socket } from 'node:net';
import { FrameReader, pingOpcode } from './frames.ts';

/** An empty pong, masked with zeros. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const headEnd = '\r\n\r\n';

export interface WebSocketTarget {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly token: string;
}

export class ReceivingWebSocket {
  private readonly socket: Socket;
  private closing = false;

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Settles when the upgrade is answered. `text` gets each message; a connection that the server ends is an error. */
  static open(target: WebSocketTarget, text: (payload: Buffer) => void): Promise<ReceivingWebSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect(target.port, target.host);
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
        if (!head.toString('latin1', 0, 12).endsWith(' 101')) reject(new Error(head.toString('latin1')));
        const rest = head.subarray(end + headEnd.length);
        head = undefined;
        resolve(opened);
        if (rest.length > 0) frames.received(rest);
      });
      socket.on('error', reject);
      socket.on('close', () => {
        if (!opened.closing) throw new Error('the server closed a socket');
      });
      socket.write(upgradeRequest(target));
    });
  }

  close(): void {
    this.closing = true;
    this.socket.destroy();
  }
}

function upgradeRequest({ host, port, path, token }: WebSocketTarget): string {
  return [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}:${port}`,
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
