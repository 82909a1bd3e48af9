/** Runs a request through a raw route: rate limit, unparsed body, handler. */
import { Failure } from '../../runtime/errors.ts';
import type { RawRoute } from '../route.ts';
import { announcesBody, collectBody } from './body-collector.ts';
import type { Exchange } from './exchange.ts';
import { httpLimits } from './limits.ts';
import { decodePercent } from './parameters/urlencoded.ts';
import { sendLater } from './serve-endpoint.ts';

const noBody = Buffer.alloc(0);

export class RawServer<Services> {
  private readonly route: RawRoute<Services>;

  constructor(route: RawRoute<Services>) {
    this.route = route;
  }

  serve(exchange: Exchange<Services>, pathValues: readonly string[]): void {
    try {
      const { rateLimit, method } = this.route;
      if (rateLimit !== undefined) exchange.takeLimit(rateLimit);
      const pathParameters = namedValues(this.route.pathNames, pathValues);
      if (method !== 'GET' && announcesBody(exchange)) void this.serveWithBody(exchange, pathParameters);
      else this.respond(exchange, pathParameters, noBody);
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

  private respond(exchange: Exchange<Services>, pathParameters: Record<string, string>, body: Buffer): void {
    const { request, services, state, cause } = exchange;
    state.beginReads();
    const limitsOf = (accountId: bigint | undefined) => exchange.limitsOf(accountId);
    const answer = this.route.handler({ request, services, pathParameters, body, cause, limitsOf });
    if (answer instanceof Promise) void sendLater(exchange, answer);
    else exchange.send(answer);
  }
}

function namedValues(names: readonly string[], values: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (let index = 0; index < names.length; index += 1) named[names[index]!] = decodePercent(values[index]!);
  return named;
}
