/**
 * Refusals: the one kind of error that may cross a boundary of this program. A failure is a code, and a text where more is
 * to be said than the code says. How a code is said to clients, in words and as an HTTP status, is the gateway's table
 * (gateway/http/failures.ts). The cause of a failure goes to the log and never to a client.
 */

/**
 * The codes, by who refuses with them. The set is closed, and grows by declaration merging: the machine's are here, those
 * of the domain in actors/failures.ts, of federation, operations and gateway in the `failures.ts` there.
 */
export interface FailureCodes {
  /** What was given is not acceptable; the text says why. */
  input: 'validation';
  /** This request was stopped by a mistake in the program. */
  mistake: 'internal';
  /** Not now: the same request may succeed later. */
  temporary: 'overloaded' | 'expired' | 'storageUnavailable' | 'outcomeUnknown';
}

export type FailureCode = FailureCodes[keyof FailureCodes];

export interface FailureOptions {
  /** Says more than the code does; safe to show to anybody. */
  text?: string;
  /** For the log only. */
  cause?: unknown;
  /** Extra keys of the answer's JSON, such as `details` of a registration. */
  details?: Record<string, unknown>;
}

/** Anything else that is thrown is reported as `internal`. */
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

/** This server could not do it now: the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Failure && temporary.has(error.code);
}

/** What a failure looks like on its way between threads: no stack, no cause. */
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

/** Anything thrown, as a failure; what is not one already becomes `internal` with the original as its cause. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('internal', { cause: error });
}

/** What was given is refused; the sentence says why: `Title can't be blank`. */
export function validationFailure(sentence: string, details?: Record<string, unknown>): Failure {
  return new Failure('validation', details === undefined ? { text: sentence } : { text: sentence, details });
}
