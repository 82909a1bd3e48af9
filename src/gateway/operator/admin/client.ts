/** The client of the admin socket: sends a command to the running server. */
import { createConnection, type Socket } from 'node:net';
import { adminLimits } from './limits.ts';
import { parseLine, receiveLines, sendLine } from './lines.ts';

export interface AdminConnection {
  /** Rejects with an Error whose message is a sentence for the operator. */
  request(request: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface AdminClient extends AdminConnection {
  /** Distinguishes a running server from one that was started for a single command. */
  readonly running: true;
}

/** Errors when no server listens: there is no socket, or the server that created it has ended. */
const nobodyThere: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);

/** Undefined when no server is running. Rejects with the error of the operating system otherwise. */
export function openAdminClient(path: string): Promise<AdminClient | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(new SocketClient(socket)));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (nobodyThere.has(error.code)) resolve(undefined);
      else reject(error);
    });
  });
}

const serverStopped = 'The server stopped before it answered.';

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

class SocketClient implements AdminClient {
  readonly running = true;
  private readonly socket: Socket;
  private readonly waiting: Waiting[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    receiveLines(socket, (line) => this.waiting.shift()?.resolve(parseLine(line)));
    socket.setTimeout(adminLimits.answerMilliseconds, () => this.fail('The server does not answer.'));
    for (const end of ['error', 'close']) socket.on(end, () => this.fail(serverStopped));
  }

  request(request: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      if (this.socket.destroyed) this.fail(serverStopped);
      else sendLine(this.socket, request);
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.closed) resolve();
      else this.socket.once('close', () => resolve()).end();
    });
  }

  private fail(sentence: string): void {
    for (const { reject } of this.waiting.splice(0)) reject(new Error(sentence));
    this.socket.destroy();
  }
}
