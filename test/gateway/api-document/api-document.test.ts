/** The API document is valid OpenAPI 3.1 and complete; its snapshot shows every change of the API in a review. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { apiDocumentRoutes } from '../../../src/gateway/api-document/api-document.routes.ts';
import { type ApiDocument, apiDocument } from '../../../src/gateway/api-document/api-document.ts';
import { ComponentSchemas } from '../../../src/gateway/api-document/json-schemas.ts';
import { json } from '../../../src/gateway/http/answers.ts';
import { demanded, file, id, idList, limit, required, text } from '../../../src/gateway/http/parameter-types.ts';
import { endpoints as restEndpoints } from '../../../src/gateway/rest/endpoints.ts';
import { endpointOver } from '../../../src/gateway/route.ts';
import { serverSentEndpoints } from '../../../src/gateway/streaming/server-sent-events.ts';
import { Languages } from '../../../src/services/words/languages.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

const endpoints = [
  ...restEndpoints,
  ...serverSentEndpoints(() => {
    throw new Error('no stream is opened here');
  }),
];
const title = 'Murmuration API';
const words = new Languages().source;
const document = apiDocument({
  endpoints,
  title,
  version: '0.0.0',
  origin: 'https://social.example',
  words,
});

const userMay = (scope: string) => ({ oauth: [scope] });
const appMay = (scope: string) => ({ application: [scope] });

let gateway: TestGateway;

beforeAll(() => {
  gateway = startTestGateway({ endpoints: [], rawRoutes: apiDocumentRoutes(endpoints) });
});

afterAll(() => gateway.close());

test('it is valid by the schema of OpenAPI 3.1', async () => {
  const published: Record<string, unknown> = JSON.parse(JSON.stringify(document));
  const result = await new Validator().validate(published);
  expect(result).toMatchObject({ valid: true });
});

test('every endpoint stands in it, with what it takes and answers', () => {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const declared = endpoints.flatMap(({ methods, path }) =>
    methods.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
  );
  expect(described.sort()).toEqual(declared.sort());
  const { post } = document.paths['/api/v1/accounts/{id}/follow']!;
  expect(post).toMatchObject({
    tags: ['accounts'],
    security: [{ oauth: ['write:follows'] }],
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Relationship' } } } } },
  });
});

test.each([
  ['without a token', '/api/v1/apps', 'post', []],
  ['with or without one', '/api/v1/statuses/{id}', 'get', [{}, userMay('read:statuses'), appMay('read:statuses')]],
  ['with any valid one', '/api/v1/apps/verify_credentials', 'get', [{ oauth: [] }, { application: [] }]],
  ['with that of a user', '/api/v1/timelines/home', 'get', [userMay('read:statuses')]],
])('it says what an endpoint needs: %s', (_what, path, method, security) => {
  expect(document.paths[path]![method]!.security).toEqual(security);
  const { oauth } = document.components.securitySchemes as { oauth: { flows: Record<string, { scopes: object }> } };
  expect(oauth.flows.authorizationCode!.scopes).toMatchObject({ 'read:statuses': 'read your posts' });
});

test('it is what it was: run with -u when the API was changed on purpose', async () => {
  await expect(`${JSON.stringify(document, null, 1)}\n`).toMatchFileSnapshot('../../snapshots/openapi.json');
});

test.each([
  ['a text', text, { type: 'string' }],
  ['a text that must be given', required(text), { type: 'string' }],
  ['a parameter without which nothing is looked at', demanded('name', text), { type: 'string' }],
  ['an id', id, { type: 'string' }],
  ['a list of ids', idList, { type: 'array', items: { type: 'string' } }],
  ['a page size', limit(20, 40), { type: 'integer', minimum: 1, maximum: 40 }],
  ['fields below a name', z.object({ name: text }), { type: 'object', properties: { name: { type: 'string' } } }],
])('%s is described as what clients send', (_what, schema, described) => {
  expect(new ComponentSchemas().parameterSchema(schema)).toMatchObject(described);
});

test.each([
  [
    'files that may be given, beside JSON without them',
    file({ bytesMax: 9 }),
    ['application/json', 'multipart/form-data'],
    false,
  ],
  ['a file that must be given', required(file({ bytesMax: 9 })), ['multipart/form-data'], true],
])('it shows %s', (_what, picture, types, isRequired) => {
  const takes = endpointOver({
    method: 'POST',
    path: '/api/v2/media',
    authentication: 'user',
    parameters: z.object({ description: text, picture }),
    summary: 'Takes a file.',
    handler: () => json({}),
  });
  const input = { endpoints: [takes], title, version: '0.0.0', origin: 'https://social.example', words };
  const { requestBody } = apiDocument(input).paths['/api/v2/media']!.post!;
  const { content, required: isBodyRequired } = requestBody as {
    content: Record<string, { schema: object }>;
    required: boolean;
  };
  expect([Object.keys(content), isBodyRequired]).toEqual([types, isRequired]);
  const [named] = isRequired ? [{ required: ['picture'] }] : [{}];
  const shown = { type: 'string', format: 'binary', description: 'At most 9 bytes.' };
  expect(content['multipart/form-data']!.schema).toEqual({
    type: 'object',
    properties: { description: { type: 'string' }, picture: shown },
    ...named,
  });
  if (!isRequired)
    expect(content['application/json']!.schema).toEqual({
      type: 'object',
      properties: { description: { type: 'string' } },
    });
});

test('it is served to programs, and to people with an entry for each operation', async () => {
  const answer = await gateway.fetch('/api/openapi.json');
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const served = (await answer.json()) as ApiDocument;
  expect(served.servers).toEqual([{ url: 'https://social.example' }]);
  expect(Object.keys(served.paths)).toEqual(Object.keys(document.paths));
  const page = await gateway.fetch('/api/docs');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const markup = await page.text();
  const missing = Object.keys(document.paths).filter((path) => !markup.includes(path));
  expect(missing).toEqual([]);
});
