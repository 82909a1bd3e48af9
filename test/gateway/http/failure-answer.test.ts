import { expect, test } from 'vitest';
import { failureAnswer } from '../../../src/gateway/http/failure-answer.ts';
import { blank, FieldsRefused, tooLong } from '../../../src/operations/refused-fields.ts';

test('the API is told what is wrong with each field, by the names that it has there', () => {
  const row = { index: 2, subject: 'Field name' };
  const failure = new FieldsRefused({ displayName: [tooLong(30)], fields: [{ ...blank, row }] });
  const answer = failureAnswer(failure, 'api');
  expect(answer).toMatchObject({ status: 422 });
  expect(JSON.parse(Buffer.from((answer as { body: Uint8Array }).body).toString())).toEqual({
    error: "Validation failed: Display name is too long (maximum is 30 characters), Field name can't be blank",
    details: {
      display_name: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 30 characters)' }],
      fields: [{ error: 'ERR_BLANK', description: "can't be blank" }],
    },
  });
});
