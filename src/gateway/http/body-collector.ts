/** Receives the body of a request, within its own bound and that of the whole server. */
import { Failure } from '../../runtime/errors.ts';
import type { Exchange } from './exchange.ts';
import { httpLimits } from './limits.ts';

/** Whether a request announces a body. Call while the native request is valid, or after `detach`. */
export function announcesBody(exchange: Exchange<unknown>): boolean {
  const length = exchange.request.header('content-length');
  if (length !== undefined) return length !== '0';
  return exchange.request.isCoded;
}

/**
 * The announced length; NaN where there is none. A refusal before the body is complete lets the rest come in unread or,
 * where that is too much, closes the connection.
 */
export function expectBody(exchange: Exchange<unknown>): number {
  const announced = Number(exchange.request.header('content-length') ?? Number.NaN);
  exchange.closeConnection = Number.isNaN(announced) || announced > httpLimits.discardedBodyBytesMax;
  return announced;
}

/**
 * The whole body, once received; a Failure (bodyTooLarge, overloaded) as soon as it is clear that it will not be read;
 * undefined when the exchange ended before. Never rejects, so that a caller that refuses for another reason may ignore
 * it. The exchange must be detached.
 */
export function collectBody(exchange: Exchange<unknown>, bodyBytesMax: number): Promise<Buffer | Failure | undefined> {
  const announced = expectBody(exchange);
  return new Promise((resolve) => {
    const collection = new Collection(exchange, bodyBytesMax, resolve);
    exchange.onFinish(() => collection.settle(undefined));
    if (announced > bodyBytesMax) collection.settle(new Failure('bodyTooLarge'));
    exchange.response.onData((chunk, isLast) => collection.receive(chunk, isLast));
  });
}

class Collection {
  private readonly exchange: Exchange<unknown>;
  private readonly bodyBytesMax: number;
  private readonly resolve: (outcome: Buffer | Failure | undefined) => void;
  private chunks: Buffer[] = [];
  private bytes = 0;
  private settled = false;

  constructor(
    exchange: Exchange<unknown>,
    bodyBytesMax: number,
    resolve: (outcome: Buffer | Failure | undefined) => void,
  ) {
    this.exchange = exchange;
    this.bodyBytesMax = bodyBytesMax;
    this.resolve = resolve;
    exchange.state.beginReceiving();
  }

  receive(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.settled) return;
    const { state } = this.exchange;
    this.bytes += chunk.byteLength;
    state.bodyBytesInFlight += chunk.byteLength;
    if (this.bytes > this.bodyBytesMax) {
      this.settle(new Failure('bodyTooLarge'));
    } else if (state.bodyBytesInFlight > state.bodyBytesInFlightMax) {
      this.settle(new Failure('overloaded'));
    } else {
      // The chunk's memory is invalid once this callback returns.
      if (chunk.byteLength > 0) this.chunks.push(Buffer.from(new Uint8Array(chunk)));
      if (isLast) this.complete();
    }
  }

  private complete(): void {
    this.exchange.closeConnection = false;
    const only = this.chunks.length === 1 ? this.chunks[0] : undefined;
    this.settle(only ?? Buffer.concat(this.chunks, this.bytes));
  }

  settle(outcome: Buffer | Failure | undefined): void {
    if (this.settled) return;
    this.settled = true;
    this.chunks = [];
    this.exchange.state.bodyBytesInFlight -= this.bytes;
    this.exchange.state.endReceiving();
    this.resolve(outcome);
  }
}
