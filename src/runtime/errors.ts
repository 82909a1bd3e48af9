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

export interface FailureOptions {
  /** More specific than the code's own text; safe to show to anybody. */
  text?: string;
  /** For the log only. */
  cause?: unknown;
  /** Further keys of the JSON answer, such as `details` of a registration. */
  details?: Record<string, unknown>;
}

/** Any other error is reported as `internal`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly text: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: FailureCode, { text, cause, details }: FailureOptions = {}) {
    super(text ?? code, cause === undefined ? undefined : { cause });
    this.name = 'Failure';
    this.code = code;
    this.text = text;
    this.details = details;
  }
}

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
  details?: Record<string, unknown>;
}

export function toWireFailure(error: unknown): WireFailure {
  const { code, text, details } = asFailure(error);
  return { code, ...(text === undefined ? {} : { text }), ...(details === undefined ? {} : { details }) };
}

export function fromWireFailure({ code, ...options }: WireFailure): Failure {
  return new Failure(code, options);
}

/** Converts anything thrown to a failure: unknown errors become `internal`, with the original as the cause. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('internal', { cause: error });
}

/** Refuses invalid input; the sentence says why: `Title can't be blank`. */
export function validationFailure(sentence: string, details?: Record<string, unknown>): Failure {
  return new Failure('validation', details === undefined ? { text: sentence } : { text: sentence, details });
}
