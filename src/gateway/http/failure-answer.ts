/**
 * Failures as answers. The API says `{"error": text}` and the details of the failure, such as what is wrong with each
 * field (behaviour of the Mastodon API); OAuth endpoints say
 * `{"error": code, "error_description": text}` (RFC 6749 section 5.2, RFC 6750 section 3.1).
 */
import { type FieldProblem, FieldsRefused, type ProblemKind } from '../../operations/refused-fields.ts';
import { type Failure, failures } from '../../runtime/errors.ts';
import { type Answer, type AnswerHeaders, json } from './answers.ts';

export type FailureStyle = 'api' | 'oauth';

export function failureAnswer(failure: Failure, style: FailureStyle, headers?: AnswerHeaders): Answer {
  const body =
    style === 'oauth'
      ? { error: oauthError(failure), error_description: failure.message, ...failure.details }
      : { error: failure.message, ...failure.details, ...fieldDetails(failure) };
  return json(body, headers === undefined ? { status: failure.status } : { status: failure.status, headers });
}

/** The failures that are OAuth errors have the registered code as their table text; the rest map to the nearest one. */
function oauthError(failure: Failure): string {
  const tableText = failures[failure.code].text;
  if (/^[a-z]+(?:_[a-z]+)+$/.test(tableText)) return tableText;
  if (failure.status === 503) return 'temporarily_unavailable';
  if (failure.status >= 500) return 'server_error';
  return failure.status === 401 ? 'invalid_token' : 'invalid_request';
}

const errorCodes: Readonly<Record<ProblemKind, string>> = {
  accepted: 'ERR_ACCEPTED',
  blank: 'ERR_BLANK',
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
