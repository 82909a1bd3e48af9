/**
 * One kept-alive HTTP/1.1 connection of a load generator: writes bytes made beforehand, and of an answer reads only its
 * status and where it ends (Content-Length; our answers and the references' have one). One request at a time.
 */
import { connect, type Socket } from 'node:net';

const receiveBytes = 64 * 1024;
const headEnd = Buffer.from('\r\n\r\n');
const lengthHeader = /\r\ncontent-length: *(\d+)/i;

export interface AnswerListener {
  answered(connection: HttpConnection, status: number): void;
  failed(connection: HttpConnection, error: Error): void;
}

export class HttpConnection {
  private readonly socket: Socket;
  private readonly listener: AnswerListener;
  /** When the request under way was due and was sent, for the listener. */
  dueAt = 0;
  sentAt = 0;
  /** By the other side as well: a server ends what has been idle for some seconds. */
  closed = false;
  private waiting = false;
  private status = 0;
  /** Bytes of the answer still to come, once its head has been read. */
  private left = -1;
  private head = Buffer.alloc(0);

  private constructor(host: string, port: number, listener: AnswerListener, connected: () => void) {
    this.listener = listener;
    this.socket = connect({
      host,
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(receiveBytes),
        callback: (count, buffer) => {
          this.received(Buffer.from(buffer.buffer, buffer.byteOffset, count));
          return true;
        },
      },
    });
    this.socket.once('connect', connected);
    this.socket.on('error', (error) => {
      this.closed = true;
      if (this.waiting) listener.failed(this, error);
    });
    this.socket.on('end', () => {
      this.closed = true;
    });
    this.socket.on('close', () => {
      this.closed = true;
      if (this.waiting) listener.failed(this, new Error('the connection was closed instead of an answer'));
    });
  }

  /** Rejects when nobody listens there. */
  static open(host: string, port: number, listener: AnswerListener): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const connection = new HttpConnection(host, port, listener, () => resolve(connection));
      connection.socket.once('error', reject);
    });
  }

  send(request: Buffer): void {
    this.waiting = true;
    this.socket.write(request);
  }

  close(): void {
    this.waiting = false;
    this.socket.destroy();
  }

  private received(chunk: Buffer): void {
    if (this.left < 0) {
      const bytes = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
      const end = bytes.indexOf(headEnd);
      if (end < 0) {
        this.head = Buffer.from(bytes);
        return;
      }
      this.head = Buffer.alloc(0);
      const head = bytes.toString('latin1', 0, end);
      this.status = Number(head.slice(9, 12));
      this.left = Number(lengthHeader.exec(head)?.[1] ?? 0) - (bytes.length - end - headEnd.length);
    } else this.left -= chunk.length;
    if (this.left > 0) return;
    this.left = -1;
    this.waiting = false;
    this.listener.answered(this, this.status);
  }
}
