/** Runs a request through a raw route: rate limit, unparsed body or upload, handler. */
import { Failure } from '../../runtime/errors.ts';
import type { RawRoute, RouteUpload } from '../route.ts';
import type { Answer } from './answers.ts';
import { announcesBody, collectBody } from './body-collector.ts';
import type { RawContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import { httpLimits } from './limits.ts';
import { bodyKind } from './parameters/body.ts';
import { decodePercent } from './parameters/urlencoded.ts';
import { sendLater } from './serve-endpoint.ts';
import { Upload } from './uploads/upload.ts';

const noBody = Buffer.alloc(0);

export class RawServer<Services> {
  private readonly route: RawRoute<Services>;

  constructor(route: RawRoute<Services>) {
    this.route = route;
  }

  serve(exchange: Exchange<Services>, pathValues: readonly string[]): void {
    try {
      const { rateLimit, method, upload } = this.route;
      if (rateLimit !== undefined) exchange.takeLimit(rateLimit);
      const pathParameters = namedValues(this.route.pathNames, pathValues);
      if (method === 'GET' || !announcesBody(exchange)) this.respond(exchange, pathParameters, noBody);
      else if (upload !== undefined && bodyKind(exchange.request.header('content-type') ?? '') === 'multipart')
        void this.serveUpload(exchange, pathParameters, upload);
      else void this.serveWithBody(exchange, pathParameters);
    } catch (error) {
      exchange.fail(error);
    }
  }

  private async serveWithBody(exchange: Exchange<Services>, pathParameters: Record<string, string>): Promise<void> {
    try {
      exchange.detach();
      const body = await collectBody(exchange, this.route.bodyBytesMax ?? httpLimits.bodyBytesMax);
      if (body === undefined) return;
      if (body instanceof Failure) throw body;
      this.respond(exchange, pathParameters, body);
    } catch (error) {
      exchange.fail(error);
    }
  }

  /** Nothing stays of its files but what the handler moved elsewhere. */
  private async serveUpload(
    exchange: Exchange<Services>,
    pathParameters: Record<string, string>,
    { files, admit }: RouteUpload<Services>,
  ): Promise<void> {
    let upload: Upload | undefined;
    try {
      exchange.detach();
      upload = new Upload(exchange, files);
      const context = contextOf(exchange, pathParameters, noBody);
      exchange.state.beginReads();
      upload.admit(await admit(context));
      const form = await upload.outcome;
      if (form === undefined) return;
      if (form instanceof Failure) throw form;
      exchange.send(await this.answer(exchange, { ...context, form }));
    } catch (error) {
      upload?.refuse();
      exchange.fail(error);
    } finally {
      upload?.remove();
    }
  }

  private respond(exchange: Exchange<Services>, pathParameters: Record<string, string>, body: Buffer): void {
    const answer = this.answer(exchange, contextOf(exchange, pathParameters, body));
    if (answer instanceof Promise) void sendLater(exchange, answer);
    else exchange.send(answer);
  }

  private answer({ state }: Exchange<Services>, context: RawContext<Services>): Answer | Promise<Answer> {
    state.beginReads();
    return this.route.handler(context);
  }
}

function contextOf<Services>(
  exchange: Exchange<Services>,
  pathParameters: Record<string, string>,
  body: Buffer,
): RawContext<Services> {
  const { request, services, cause } = exchange;
  const limitsOf = (accountId: bigint | undefined) => exchange.limitsOf(accountId);
  return { request, services, pathParameters, body, cause, limitsOf };
}

function namedValues(names: readonly string[], values: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (let index = 0; index < names.length; index += 1) named[names[index]!] = decodePercent(values[index]!);
  return named;
}
