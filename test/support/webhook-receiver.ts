/** What a webhook points to, on loopback: what it receives, with its signature checked, and how it answers. */
import { createHmac } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WebhookBody {
  readonly event: string;
  readonly created_at: string;
  readonly object: Record<string, unknown>;
}

export class WebhookReceiver {
  /** Requests whose signature is right. */
  readonly received: WebhookBody[] = [];
  /** Headers of those that are signed by somebody else. */
  readonly refused: string[] = [];
  secret = '';
  /** Undefined: it reads and does not answer. */
  status: number | undefined = 200;
  private readonly waiting: ServerResponse[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const signature = String(request.headers['x-hub-signature']);
      if (signature === `sha256=${createHmac('sha256', this.secret).update(body).digest('hex')}`)
        this.received.push(JSON.parse(body.toString()) as WebhookBody);
      else this.refused.push(signature);
      if (this.status === undefined) this.waiting.push(response);
      else response.writeHead(this.status).end();
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    for (const response of this.waiting) response.destroy();
    this.server.closeAllConnections();
    this.server.close();
  }
}
