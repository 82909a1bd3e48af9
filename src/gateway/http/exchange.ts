/**
 * One request and its one answer.
 *
 * 1. At most one answer is written, and none after the client has left: the native response must not be touched then.
 * 2. Before the native callback returns, the exchange is either answered or detached (request copied, abort handler
 *    set); otherwise uWebSockets.js ends the process.
 * 3. Whatever is thrown becomes an answer; its cause goes to the log only.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { AccountCaller, VisitorCaller } from '../../operations/caller.ts';
import type { SubjectRateLimit } from '../../operations/rate-limits.ts';
import { asFailure, Failure, isTemporary } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { threadLimits } from '../../runtime/limits.ts';
import type { Trace, TracedRequest } from '../../runtime/tracing/trace.ts';
import { addressLimitKey } from '../../services/address-limit-key.ts';
import { assertWritable, type Closing, writeBody, writeHeaders, writeStatus } from './answer-writer.ts';
import { type Answer, bytesOfBody, isInPieces, withHeaders } from './answers.ts';
import { isCodable } from './compression.ts';
import type { RequestContext, RequestLimits } from './context.ts';
import { failureAnswer } from './failure-answer.ts';
import { statusOf, textOf } from './failures.ts';
import type { FilePart } from './files/file-part.ts';
import type { Grant } from './grant.ts';
import type { BodySending } from './large-answers.ts';
import { httpLimits } from './limits.ts';
import { type LimitedKey, type RateLimitClass, rateLimitClasses } from './rate-limits.ts';
import type { IncomingRequest } from './request.ts';
import type { RequestMeter } from './request-metrics.ts';
import { stepOfRequest } from './request-step.ts';
import type { ServerState } from './server-state.ts';
import { StreamSink } from './stream-sink.ts';

/** RFC 9110 section 10.2.3, in seconds: by then waiting requests have been answered. */
const retryLater = { 'Retry-After': String(Math.ceil(threadLimits.callWaitMillisecondsMax / 1_000)) };

/** RFC 9110 section 15.5.16. */
const acceptUncoded = { 'Accept-Encoding': 'identity' };

const privateLine = '\r\nCache-Control: private, no-store';
/**
 * For whoever keeps connections: the HTTP library ends one that has been idle for 8 to 12 seconds (docs/decisions/0011). A
 * request that is on its way in this moment is lost, so the shortest time is stated.
 */
const keepAliveLine = '\r\nKeep-Alive: timeout=8';

/** RFC 9110 section 12.5.5. */
const codingLine = '\r\nVary: Accept-Encoding';

/**
 * What all responses of a kind of route have in common: constant headers, the form of failures, how requests are
 * counted.
 */
export interface ResponseProfile<Services> {
  /** Counts the requests; undefined without metrics. */
  readonly meter: RequestMeter | undefined;
  /** The declared path; undefined where nothing is declared. */
  readonly route: string | undefined;
  /** Constant header lines, each with a line break before it. */
  readonly headerLines: string;
  failed(failure: Failure, exchange: Exchange<Services>): Answer;
}

export class Exchange<Services> implements RequestContext<Services, Grant | undefined> {
  readonly request: IncomingRequest;
  readonly services: Services;
  grant: Grant | undefined;
  readonly response: HttpResponse;
  readonly state: ServerState;
  /** Set while the rest of the request is not worth reading. */
  closeConnection = false;
  private readonly profile: ResponseProfile<Services>;
  private readonly beganAt = performance.now();
  private finished = false;
  private detached = false;
  private sink: StreamSink | undefined;
  /** Of a body that is not sent in one go. */
  private sending: BodySending | undefined;
  private finishCallback: (() => void) | undefined;
  private shownLimit: RateLimitClass | undefined;
  private shownLeft = 0;
  private variesByCoding = false;
  /** Decided when it is first asked for; null until then. */
  private tracedRequest: TracedRequest | undefined | null = null;

  constructor(
    request: IncomingRequest,
    response: HttpResponse,
    services: Services,
    state: ServerState,
    profile: ResponseProfile<Services>,
  ) {
    this.request = request;
    this.response = response;
    this.services = services;
    this.state = state;
    this.profile = profile;
  }

  /** Makes it possible to answer later. */
  detach(): void {
    if (this.detached || this.finished) return;
    this.detached = true;
    this.request.detach();
    this.state.enter();
    this.response.onAborted(() => {
      this.request.hasLeft = true;
      if (!this.finished && this.sending === undefined) this.left();
      this.sending?.gone();
      this.finish();
      this.sink?.gone();
    });
  }

  /** Called when the exchange is over: answered, or abandoned by the client. */
  onFinish(callback: () => void): void {
    this.finishCallback = callback;
  }

  private finish(): void {
    if (this.finished) return;
    this.finished = true;
    this.finishCallback?.();
    if (this.detached) this.state.leave();
  }

  /** Nothing behind a body with a transfer coding is read as a request: its answer closes the connection. */
  send(answer: Answer): void {
    if (this.request.isCoded) {
      this.detach();
      // The HTTP library closes a connection on which data follows an unanswered request.
      setImmediate(() => this.sendOrFail(answer));
    } else {
      this.sendNow(answer);
    }
  }

  private sendNow(answer: Answer): void {
    const compressing = this.compress(answer);
    if (compressing instanceof Promise) void this.sendOnceCompressed(compressing);
    else this.sendAsItIs(compressing);
  }

  private async sendOnceCompressed(compressing: Promise<Answer>): Promise<void> {
    this.detach();
    try {
      this.sendAsItIs(await compressing);
    } catch (error) {
      this.fail(error);
    }
  }

  private compress(answer: Answer): Answer | Promise<Answer> {
    const { compression } = this.state;
    if (compression === undefined || this.finished || !isCodable(answer)) return answer;
    this.variesByCoding = true;
    const { request } = this;
    if (request.method === 'HEAD') return answer;
    const hasCookie = request.header('cookie') !== undefined;
    const coding = compression.codingOf(request.header('accept-encoding'), hasCookie);
    if (coding === undefined) return answer;
    const made = compression.compress(answer, coding, hasCookie);
    const { body } = answer;
    if (isInPieces(body)) for (const piece of body) this.state.largeAnswers.blocks.giveBack(piece);
    return made;
  }

  private sendOrFail(answer: Answer): void {
    try {
      this.sendNow(answer);
    } catch (error) {
      this.fail(error);
    }
  }

  private sendAsItIs(answer: Answer): void {
    if (this.finished || this.sending !== undefined) {
      answer.file?.source.close();
      return;
    }
    try {
      this.begin(answer);
    } catch (error) {
      answer.file?.source.close();
      throw error;
    }
    this.profile.meter?.answered(this.request.method, answer.status, performance.now() - this.beganAt);
    this.trace(answer.status);
    if (!this.detached) {
      this.write(answer);
      return;
    }
    this.response.cork(() => {
      this.write(answer);
      this.sending?.start();
    });
    if (answer.open !== undefined && this.request.method !== 'HEAD') {
      this.sink = new StreamSink(this.response, (error) => this.report(asFailure(error)));
      this.sink.start(answer.open);
    }
  }

  /** Throws an Error for an answer that cannot be written, Failure overloaded when too much is being sent, and badRequest. */
  private begin(answer: Answer): void {
    assertWritable(answer);
    const { file, open, body } = answer;
    const isLarge = this.isLarge(answer);
    const hasBody = this.request.method !== 'HEAD';
    if (hasBody && (isLarge || file !== undefined || open !== undefined)) this.detach();
    // The HTTP library cannot close a connection at the end of what is sent in pieces.
    if (hasBody && file !== undefined && this.closing === 'atOnce')
      throw new Failure('badRequest', { text: 'A request for a file has no body' });
    if (hasBody && file !== undefined) this.sending = this.beginFile(file);
    else if (isLarge) this.sending = this.state.largeAnswers.begin(this.response, body, () => this.finish());
    else this.finish();
    if (!hasBody) file?.source.close();
  }

  private beginFile(file: FilePart): BodySending {
    return this.state.fileAnswers.begin(this.response, file, {
      finished: () => this.finish(),
      failed: (cause) => {
        if (!isOfOthers(cause)) this.report(new Failure('storageUnavailable', { cause }));
      },
    });
  }

  /** An answer that closes the connection is sent in one go, because `tryEnd` would leave it open. */
  private isLarge({ body, open }: Answer): boolean {
    if (open !== undefined || this.request.method === 'HEAD' || this.closing !== undefined) return false;
    return (isInPieces(body) ? bytesOfBody(body) : body.length) > httpLimits.answerBytesAtOnce;
  }

  private get closing(): Closing {
    if (this.closeConnection || this.request.isCoded) return 'atOnce';
    return this.state.closing ? 'soon' : undefined;
  }

  /** Answers with the thrown failure. */
  fail(error: unknown): void {
    const failure = asFailure(error);
    if (this.request.hasLeft && isTemporary(failure)) return;
    // Overload is counted by metrics: a log line would cost more than the refusal.
    const isOverload = failure.code === 'overloaded' || failure.code === 'expired';
    if (statusOf(failure) >= 500 && !isOverload && !isOfOthers(failure)) this.report(failure);
    try {
      const answer = this.profile.failed(failure, this);
      if (isOverload) this.send(withHeaders(answer, retryLater));
      else this.send(failure.code === 'contentCoded' ? withHeaders(answer, acceptUncoded) : answer);
    } catch (cause) {
      this.report(new Failure('internal', { cause }));
      this.send(failureAnswer(new Failure('internal'), 'api'));
    }
  }

  private report(failure: Failure): void {
    this.state.log({
      level: failure.code === 'internal' ? 'error' : 'warn',
      message: textOf(failure),
      requestId: this.request.id,
      method: this.request.method,
      path: this.request.path,
      cause: failure.cause ?? failure,
    });
  }

  /** Whether a limit was applied to this request. */
  get isCounted(): boolean {
    return this.shownLimit !== undefined;
  }

  /** Counts this request against a limit. Throws Failure tooManyRequests above it. */
  takeLimit(name: RateLimitClass, accountId = this.grant?.accountId): void {
    const limits = this.state.rateLimits;
    if (limits === undefined) return;
    const left = limits.take(name, this.limitedKey(name, accountId));
    this.showLimit(name, left);
    if (left < 0) throw new Failure('tooManyRequests');
  }

  /** Counts against what is named. Throws Failure tooManyRequests above the limit. */
  private takeSubjectLimit(name: SubjectRateLimit, subject: string): void {
    const { rateLimits } = this.state;
    if (rateLimits !== undefined && rateLimits.take(name, subject) < 0) throw new Failure('tooManyRequests');
  }

  checkLimit(name: RateLimitClass, accountId = this.grant?.accountId): void {
    const limits = this.state.rateLimits;
    if (limits === undefined) return;
    const left = limits.remaining(name, this.limitedKey(name, accountId));
    this.showLimit(name, left);
    if (left <= 0) throw new Failure('tooManyRequests');
  }

  countLimit(name: RateLimitClass, accountId = this.grant?.accountId): void {
    const limits = this.state.rateLimits;
    if (limits !== undefined) this.showLimit(name, limits.take(name, this.limitedKey(name, accountId)));
  }

  limitsOf(accountId: Id | undefined): RequestLimits {
    return {
      takeRequest: () => this.takeLimit('api', accountId),
      take: (name) => this.takeLimit(name, accountId),
      takeFor: (name, subject) => this.takeSubjectLimit(name, subject),
      check: (name) => this.checkLimit(name, accountId),
      count: (name) => this.countLimit(name, accountId),
    };
  }

  /** Of what the request causes, where it is traced. */
  get cause(): string | undefined {
    const { trace } = this.state;
    return trace === undefined ? undefined : this.tracedBy(trace)?.cause;
  }

  private tracedBy(trace: Trace): TracedRequest | undefined {
    if (this.tracedRequest === null) this.tracedRequest = trace.request(this.request);
    return this.tracedRequest;
  }

  /** The client has left before the answer. */
  private left(): void {
    this.profile.meter?.left(this.request.method);
    this.trace(undefined);
  }

  /** `status` is undefined where the client has left. */
  private trace(status: number | undefined): void {
    const { trace } = this.state;
    const traced = trace && this.tracedBy(trace);
    if (trace === undefined || traced === undefined) return;
    const { request, profile, beganAt } = this;
    const ended = { request, route: profile.route, status, parent: traced.parent };
    trace.step(traced.cause, stepOfRequest({ ...ended, milliseconds: performance.now() - beganAt }));
  }

  /** The caller of an endpoint. An application without an account is a visitor. */
  get caller(): AccountCaller | VisitorCaller {
    const accountId = this.grant?.accountId;
    const limits = this.limitsOf(accountId);
    const { cause, request: asker } = this;
    const address = () => asker.ip;
    if (accountId === undefined) return { kind: 'visitor', accountId, limits, cause, asker, address };
    return { kind: 'account', accountId, limits, cause, asker, address };
  }

  private limitedKey(name: RateLimitClass, accountId: Id | undefined): LimitedKey {
    return (rateLimitClasses[name].per === 'account' ? accountId : undefined) ?? addressLimitKey(this.request.ip);
  }

  /** The answer shows the limit closest to exhaustion. */
  private showLimit(name: RateLimitClass, left: number): void {
    if (this.shownLimit !== undefined && this.shownLimit !== name && left >= this.shownLeft) return;
    this.shownLimit = name;
    this.shownLeft = left;
  }

  private write(answer: Answer): void {
    const { response } = this;
    writeStatus(response, answer.status);
    if (answer.contentType !== undefined) response.writeHeader('Content-Type', answer.contentType);
    const isPrivate = this.grant !== undefined;
    response.writeHeader('X-Request-Id', this.request.id + this.commonHeaders(isPrivate));
    if (answer.headers !== undefined) writeHeaders(response, answer.headers, isPrivate);
    const isHead = this.request.method === 'HEAD';
    if (this.sending !== undefined || (answer.open !== undefined && !isHead)) return;
    writeBody(response, answer, isHead, this.closing);
  }

  /**
   * Header lines appended to another header's value: one native call instead of one for each (measured: 0.1 to 0.2
   * microseconds a call). They contain nothing from outside.
   */
  private commonHeaders(isPrivate: boolean): string {
    const { headerLines } = this.profile;
    const all = this.variesByCoding ? headerLines + codingLine : headerLines;
    const kept = this.closing === undefined ? all + keepAliveLine : all;
    const lines = isPrivate ? kept + privateLine : kept;
    const name = this.shownLimit;
    const limits = this.state.rateLimits;
    if (name === undefined || limits === undefined) return lines;
    const { countMax } = rateLimitClasses[name];
    const left = Math.max(0, this.shownLeft);
    const reset = limits.resetText(name);
    return `${lines}\r\nX-RateLimit-Limit: ${countMax}\r\nX-RateLimit-Remaining: ${left}\r\nX-RateLimit-Reset: ${reset}`;
  }
}

/**
 * Which servers of others do not answer is decided by who asks for them: without a cause here there is nothing for the
 * operator to do.
 */
function isOfOthers(error: unknown): boolean {
  return error instanceof Failure && error.code === 'remoteUnreachable' && error.cause === undefined;
}
