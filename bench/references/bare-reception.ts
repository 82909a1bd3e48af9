/**
 * The limit of what a relay takes in: a uWebSockets handler that receives a POST, parses its JSON, compares the digest, and
 * verifies the signature with a key that it has, one after the other.
 */
import '../../src/gateway/http/no-server-header.ts';
import { App, type HttpRequest, type HttpResponse, us_socket_local_port } from 'uWebSockets.js';
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { serveChild } from '../processes/child.ts';

let key: KeyObject;

serveChild({ listen });

/** Answers 202 to what fits, and 401 to anything else; returns the port. */
function listen({ publicKeyPem }: { publicKeyPem: string }): Promise<number> {
  key = createPublicKey(publicKeyPem);
  const app = App();
  app.post('/*', receive);
  return new Promise((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket === false) reject(new Error('cannot listen'));
      else resolve(us_socket_local_port(socket));
    });
  });
}

function receive(response: HttpResponse, request: HttpRequest): void {
  response.onAborted(() => undefined);
  const [host, date, digest] = [request.getHeader('host'), request.getHeader('date'), request.getHeader('digest')];
  const type = request.getHeader('content-type');
  const [, signature] = /signature="([^"]+)"/.exec(request.getHeader('signature')) ?? [];
  const text = `(request-target): post ${request.getUrl()}\nhost: ${host}\ndate: ${date}\ndigest: ${digest}\ncontent-type: ${type}`;
  const chunks: Buffer[] = [];
  response.onData((chunk, isLast) => {
    // The chunk is gone after the call.
    chunks.push(Buffer.from(Buffer.from(chunk)));
    if (!isLast) return;
    const body = Buffer.concat(chunks);
    const isWhole = digest === `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
    const { type: kind } = JSON.parse(body.toString('utf8')) as { type: unknown };
    const isSigned = verify('sha256', Buffer.from(text), key, Buffer.from(signature ?? '', 'base64'));
    const isGood = isWhole && isSigned && kind === 'Create';
    response.cork(() => response.writeStatus(isGood ? '202 Accepted' : '401 Unauthorized').end());
  });
}
