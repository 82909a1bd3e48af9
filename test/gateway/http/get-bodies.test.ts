/** Bodies of GET: Rails reads them, so libraries such as Mastodon.py send parameters there (familiar followers). */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { json } from '../../../src/gateway/http/answers.ts';
import { textList } from '../../../src/gateway/http/parameter-types.ts';
import { endpointOver } from '../../../src/gateway/route.ts';
import { exchangeBytes, requestText, startServer } from './support.ts';

/** A query that is known is not looked at again. */
const found = endpointOver({
  method: 'GET',
  path: '/api/v1/found',
  authentication: 'optional',
  parameters: z.object({ many: textList }),
  summary: 'Says what is looked for.',
  handler: (_context, parameters) => json(parameters),
});

const ofJson = 'Content-Type: application/json';

test.each([
  ['JSON', [ofJson], '{"many":["b"]}', 200, { many: ['b'] }],
  ['a form', ['Content-Type: application/x-www-form-urlencoded'], 'many[]=b', 200, { many: ['b'] }],
  ['JSON that is none', [ofJson], '{', 400, { error: 'The body is not valid JSON' }],
  ['a content type and no body', [ofJson], '', 200, { many: ['a'] }],
  ['a content type that is read nowhere', ['Content-Type: text/plain'], 'many[]=b', 200, { many: ['a'] }],
  ['no content type', [], 'many[]=b', 200, { many: ['a'] }],
])('%s', async (_case, headers, body, status, expected) => {
  const { port } = startServer({ endpoints: [found] });
  const request = requestText('GET /api/v1/found?many[]=a', ...headers, `Content-Length: ${body.length}`) + body;
  for (const answer of [await exchangeBytes(port, request), await exchangeBytes(port, request)]) {
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toEqual(expected);
  }
});
