/**
 * Failures as answers. The API answers `{"error": text}` with the details of the failure, such as the problems of each
 * field (behaviour of the Mastodon API); OAuth endpoints answer `{"error": code, "error_description": text}` (RFC 6749
 * section 5.2, RFC 6750 section 3.1).
 */
import { type FieldProblem, FieldsRefused, type ProblemKind } from '../../operations/refused-fields.ts';
import { type Failure, overloadRefusal } from '../../runtime/errors.ts';
import { type Answer, type AnswerHeaders, json } from './answers.ts';
import { failures, oauthCodeOf, statusOf, textOf } from './failures.ts';

/** `nested`: for collections, whose refused fields are one level deeper (behaviour of the Mastodon API). */
export type FailureStyle = 'api' | 'oauth' | 'nested';

export function failureAnswer(failure: Failure, style: FailureStyle, headers?: AnswerHeaders): Answer {
  return failure === overloadRefusal && headers === undefined
    ? overloadAnswers[style]
    : newAnswer(failure, style, headers);
}

function newAnswer(failure: Failure, style: FailureStyle, headers?: AnswerHeaders): Answer {
  const status = statusOf(failure);
  const body = bodyOf(failure, style);
  return json(body, headers === undefined ? { status } : { status, headers });
}

function bodyOf(failure: Failure, style: FailureStyle): object {
  if (style === 'oauth')
    return { error: oauthCodeOf(failure), error_description: wordsOf(failure), ...failure.details };
  const body = { error: wordsOf(failure), ...failure.details, ...fieldDetails(failure) };
  return style === 'nested' && failure.code === 'validation' ? { error: { details: {}, ...body } } : body;
}

/** Made once, like the refusal. */
const overloadAnswers: Readonly<Record<FailureStyle, Answer>> = {
  api: newAnswer(overloadRefusal, 'api'),
  oauth: newAnswer(overloadRefusal, 'oauth'),
  nested: newAnswer(overloadRefusal, 'nested'),
};

/** Behaviour of the Mastodon API: `Validation failed: Title can't be blank`. */
function wordsOf(failure: Failure): string {
  const isSentence = failure.code === 'validation' && failure.text !== undefined;
  return isSentence ? `${failures.validation.text}: ${failure.text}` : textOf(failure);
}

const errorCodes: Readonly<Record<ProblemKind, string>> = {
  accepted: 'ERR_ACCEPTED',
  blank: 'ERR_BLANK',
  blocked: 'ERR_BLOCKED',
  invalid: 'ERR_INVALID',
  reserved: 'ERR_RESERVED',
  taken: 'ERR_TAKEN',
  tooLong: 'ERR_TOO_LONG',
  tooShort: 'ERR_TOO_SHORT',
};

/** Fields have the names of the API: `display_name`. */
function fieldDetails(failure: Failure): { details?: Record<string, unknown> } {
  if (!(failure instanceof FieldsRefused)) return {};
  const entityOf = ({ kind, words }: FieldProblem) => ({ error: errorCodes[kind], description: words });
  const details = Object.entries(failure.problems).map(([field, found]) => [
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    found.map(entityOf),
  ]);
  return { details: Object.fromEntries(details) as Record<string, unknown> };
}
