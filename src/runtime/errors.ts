/**
 * Failures: the only errors that cross a boundary of this program. A failure is a code, with a text where the code does
 * not say enough. Its HTTP status and its words for clients are in the gateway's table (gateway/http/failures.ts). Its
 * cause goes to the log and never to a client.
 */

/**
 * The codes, by who refuses with them. The set is closed and grows by declaration merging: the runtime's codes are
 * here, those of the domain in actors/failures.ts, those of federation, operations and gateway in the `failures.ts`
 * there.
 */
export interface FailureCodes {
  /** The input is not acceptable; the text says why. */
  input: 'validation';
  /** A mistake in the program stopped this request. */
  mistake: 'internal';
  /** Not now: the same request may succeed later. */
  temporary: 'overloaded' | 'expired' | 'storageUnavailable' | 'outcomeUnknown';
}

export type FailureCode = FailureCodes[keyof FailureCodes];

/** Why, where more can be said than the code does: the same way a closed set. Pages say it in the visitor's language. */
export interface FailureReasons {
  runtime: never;
}

export type FailureReason = FailureReasons[keyof FailureReasons];

export interface FailureOptions {
  /** More specific than the code's own text; safe to show to anybody. */
  text?: string;
  reason?: FailureReason;
  /** The bound that the reason is about. */
  limit?: number;
  /** For the log only. */
  cause?: unknown;
  /** Further keys of the JSON answer, such as `details` of a registration. */
  details?: Record<string, unknown>;
}

/** Any other error is reported as `internal`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly text: string | undefined;
  readonly reason: FailureReason | undefined;
  readonly limit: number | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: FailureCode, { text, reason, limit, cause, details }: FailureOptions = {}) {
    super(text ?? code, cause === undefined ? undefined : { cause });
    this.name = 'Failure';
    this.code = code;
    this.text = text;
    this.reason = reason;
    this.limit = limit;
    this.details = details;
  }
}

/**
 * For whoever refuses much, because there is more to do than can be done. Made once: an error of its own for each, with its
 * stack, takes half of what a refusal takes (measured).
 */
export const overloadRefusal = new Failure('overloaded');

const temporary: ReadonlySet<FailureCode> = new Set<FailureCodes['temporary']>([
  'overloaded',
  'expired',
  'storageUnavailable',
  'outcomeUnknown',
]);

/** True for failures of the moment: the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Failure && temporary.has(error.code);
}

/** True for a failure that the same request would meet again. */
export function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.code !== 'internal' && !isTemporary(error);
}

/** A failure on its way between threads: no stack, no cause. */
export interface WireFailure {
  code: FailureCode;
  text?: string;
  reason?: FailureReason;
  limit?: number;
  details?: Record<string, unknown>;
}

export function toWireFailure(error: unknown): WireFailure {
  const { code, text, reason, limit, details } = asFailure(error);
  return {
    code,
    ...(text === undefined ? {} : { text }),
    ...(reason === undefined ? {} : { reason }),
    ...(limit === undefined ? {} : { limit }),
    ...(details === undefined ? {} : { details }),
  };
}

export function fromWireFailure({ code, ...options }: WireFailure): Failure {
  return new Failure(code, options);
}

/** Converts anything thrown to a failure: unknown errors become `internal`, with the original as the cause. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('internal', { cause: error });
}

/** Refuses invalid input; the sentence says why: `Title can't be blank`. */
export function validationFailure(sentence: string, options: Omit<FailureOptions, 'text' | 'cause'> = {}): Failure {
  return new Failure('validation', { text: sentence, ...options });
}
