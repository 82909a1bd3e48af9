/** A push service on loopback: what it receives, and how it answers. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PushMessage, PushReceiver } from './push-receiver.ts';

/** A push service of one app. */
export class PushService {
  readonly app = new PushReceiver();
  readonly received: PushMessage[] = [];
  /** Undefined: it reads and does not answer. */
  status: number | undefined = 201;
  private readonly waiting: ServerResponse[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      this.received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      if (this.status === undefined) this.waiting.push(response);
      else response.writeHead(this.status).end();
    });
  });

  async listen(host: string): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, host, done));
    return `http://${host}:${(this.server.address() as AddressInfo).port}/send?to=app`;
  }

  close(): void {
    for (const response of this.waiting) response.destroy();
    this.server.closeAllConnections();
    this.server.close();
  }

  get payloads(): string[] {
    return this.received.map((message) => this.app.read(message));
  }
}
