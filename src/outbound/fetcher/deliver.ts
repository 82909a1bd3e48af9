/**
 * Posts one body to one URL, such as an activity to an inbox. Kept lean because a popular post is sent ten thousand
 * times: no stream, no timer of its own, one small object per request. Lanes decide about order, retries and pauses.
 */
import type { Dispatcher } from 'undici';
import { requestTargetOf } from '../signatures/sign-request.ts';
import { afterReuse } from './after-reuse.ts';
import type { RemoteConnections } from './connections.ts';
import { type NetworkFault, networkFaultOf } from './network-fault.ts';
import { parseRemoteUrl } from './remote-policy.ts';
import type { ResponseHeaders } from './response-headers.ts';
import { retryAfterMilliseconds } from './retry-after.ts';

export interface Delivery {
  readonly url: string;
  readonly body: Buffer;
  /** The result of `signRequest` for this URL. */
  readonly headers: Readonly<Record<string, string>>;
}

export type DeliveryResult =
  /** A response; lanes/http-outcome.ts interprets its status. The pause is set where a 429 or 503 named one. */
  | {
      readonly ok: true;
      readonly status: number;
      readonly retryAfterMilliseconds: number | undefined;
      /** A refusal names what a signature by RFC 9421 must cover. */
      readonly asksForMessageSignature?: boolean;
    }
  /** The policy forbids the URL; nothing was sent. */
  | { readonly ok: false; readonly kind: 'blocked'; readonly detail: string }
  | { readonly ok: false; readonly kind: 'unreachable'; readonly fault: NetworkFault; readonly detail: string };

/**
 * Posts a body and waits for the end of the response, whose body is read within a bound and dropped. Redirects are not
 * followed. A connection that breaks before the response was probably a keep-alive connection closed by the peer: the
 * request is sent once more, so a receiver may get the body twice. Never rejects.
 */
export async function deliver(connections: RemoteConnections, delivery: Delivery): Promise<DeliveryResult> {
  const target = parseRemoteUrl(delivery.url, connections.policy);
  if (!target.ok) return { ok: false, kind: 'blocked', detail: target.detail };
  const result = await post(connections, target.url, delivery);
  const lost = !result.ok && result.kind === 'unreachable' && result.fault === 'connectionLost';
  return lost ? post(connections, target.url, delivery) : result;
}

function post(connections: RemoteConnections, url: URL, delivery: Delivery): Promise<DeliveryResult> {
  return new Promise((resolve) => {
    connections.agent.dispatch(
      {
        origin: url.origin,
        path: requestTargetOf(url),
        method: 'POST',
        headers: { ...delivery.headers, 'user-agent': connections.userAgent },
        body: delivery.body,
      },
      new AnswerReader(connections, resolve),
    );
  });
}

/** Reads the status and drops the body; settles once, even when the body's end is not worth waiting for. */
class AnswerReader implements Dispatcher.DispatchHandler {
  private readonly connections: RemoteConnections;
  private readonly settle: (result: DeliveryResult) => void;
  private readonly startedAt: number;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private retryAfterMilliseconds: number | undefined;
  private asksForMessageSignature = false;
  private bytes = 0;

  constructor(connections: RemoteConnections, settle: (result: DeliveryResult) => void) {
    this.connections = connections;
    this.settle = settle;
    this.startedAt = connections.monotonic();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.asksForMessageSignature = status >= 400 && headers['accept-signature'] !== undefined;
    if (status !== 429 && status !== 503) return;
    const { limits } = this.connections;
    this.retryAfterMilliseconds = retryAfterMilliseconds(
      headers,
      this.connections.now(),
      limits.throttleMillisecondsMax,
    );
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { limits } = this.connections;
    this.bytes += chunk.length;
    // A slowly trickling body is ended here: each chunk checks the clock, and for silence undici has its own timeout.
    const late = this.connections.monotonic() - this.startedAt > limits.totalTimeoutMilliseconds;
    if (late || this.bytes > limits.discardedBytesMax)
      this.controller?.abort(new Error('the rest of the response is not needed'));
  }

  onResponseEnd(): void {
    afterReuse(() => this.settleAnswered());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const fault = networkFaultOf(error);
    if (this.status !== 0) this.settleAnswered();
    else this.settle({ ok: false, kind: 'unreachable', fault, detail: error.message });
  }

  private settleAnswered(): void {
    const { status, retryAfterMilliseconds, asksForMessageSignature } = this;
    this.settle({
      ok: true,
      status,
      retryAfterMilliseconds,
      ...(asksForMessageSignature && { asksForMessageSignature }),
    });
  }
}
