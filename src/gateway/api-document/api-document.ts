/**
 * The API as an OpenAPI 3.1 document, generated from the declarations of endpoints. Its failures are those that the
 * HTTP layer gives because of a declaration, plus 404 and 422 of handlers.
 */

import type { z } from 'zod';
import type { Words } from '../../services/words/languages.ts';
import { ErrorEntity, OAuthErrorEntity } from '../entities/values.ts';
import { httpLimits } from '../http/limits.ts';
import type { FileLimit, FileLimits } from '../http/uploads/upload.ts';
import { describeScope } from '../oauth/scope-words.ts';
import type { Endpoint } from '../route.ts';
import { ComponentSchemas, type JsonSchema } from './json-schemas.ts';

/** The part of an endpoint that the document needs. */
export type DocumentedEndpoint = Pick<
  Endpoint<never>,
  | 'methods'
  | 'path'
  | 'pathNames'
  | 'authentication'
  | 'scopes'
  | 'parameters'
  | 'rateLimit'
  | 'summary'
  | 'answer'
  | 'failureStyle'
  | 'deprecated'
  | 'bodyBytesMax'
  | 'files'
>;

const description = `Bodies are shown as JSON; forms are taken alike, and files in multipart forms. One of more than ${httpLimits.parametersBytesMax} bytes is answered with 413 where nothing else is said.`;

export interface ApiDocumentInput {
  readonly endpoints: readonly DocumentedEndpoint[];
  readonly title: string;
  readonly version: string;
  /** Scheme and host. */
  readonly origin: string;
  /** In which its texts are written: English. */
  readonly words: Words;
}

export interface ApiOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly deprecated?: true;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

export interface ApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const jsonType = 'application/json';
const formType = 'multipart/form-data';
/** Tokens of users, and tokens of applications themselves (RFC 6749 sections 4.1 and 4.4). */
const userScheme = 'oauth';
const applicationScheme = 'application';

export function apiDocument({ endpoints, title, version, origin, words }: ApiDocumentInput): ApiDocument {
  const schemas = new ComponentSchemas();
  const paths: Record<string, Record<string, ApiOperation>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    for (const method of endpoint.methods) paths[path][method.toLowerCase()] = operationOf(endpoint, method, schemas);
  }
  const tokenUrl = `${origin}/oauth/token`;
  const scopes = Object.fromEntries(scopesOf(endpoints).map((scope) => [scope, describeScope(words, scope)]));
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    servers: [{ url: origin }],
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      responses: failureResponses(schemas),
      schemas: schemas.all(),
      securitySchemes: {
        [userScheme]: {
          type: 'oauth2',
          flows: { authorizationCode: { authorizationUrl: `${origin}/oauth/authorize`, tokenUrl, scopes } },
        },
        [applicationScheme]: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes } } },
      },
    },
  };
}

function scopesOf(endpoints: readonly DocumentedEndpoint[]): string[] {
  return [...new Set(endpoints.flatMap(({ scopes }) => scopes))].sort();
}

function operationOf(endpoint: DocumentedEndpoint, method: string, schemas: ComponentSchemas): ApiOperation {
  const { summary, deprecated } = endpoint;
  const parameters = parametersOf(endpoint, method, schemas);
  const body = method === 'GET' ? undefined : bodyOf(endpoint, schemas);
  return {
    tags: [tagOf(endpoint.path)],
    summary,
    ...(deprecated === undefined ? {} : { deprecated: true }),
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(endpoint, schemas),
  };
}

/** The segment after the version: `accounts` of `/api/v1/accounts/:id`. */
function tagOf(path: string): string {
  const [, first = '', second = '', third = ''] = path.split('/');
  if (first === 'api') return /^v\d/.test(second) ? third : second;
  return first.replace('.well-known', 'discovery');
}

function securityOf({ authentication, scopes }: DocumentedEndpoint): Record<string, readonly string[]>[] {
  if (authentication === 'none') return [];
  // Any one of the scopes is sufficient.
  const wanted = scopes.length === 0 ? [[]] : scopes.map((scope) => [scope]);
  const schemes = authentication === 'user' ? [userScheme] : [userScheme, applicationScheme];
  const each = schemes.flatMap((scheme) => wanted.map((scopesOfOne) => ({ [scheme]: scopesOfOne })));
  return authentication === 'optional' ? [{}, ...each] : each;
}

type Shape = Readonly<Record<string, z.ZodType>>;

function parametersOf(endpoint: DocumentedEndpoint, method: string, schemas: ComponentSchemas): JsonSchema[] {
  const shape = (endpoint.parameters?.shape ?? {}) as Shape;
  return Object.entries(shape).flatMap(([name, schema]): JsonSchema[] => {
    const inPath = endpoint.pathNames.includes(name);
    if (!inPath && method !== 'GET') return [];
    const shown = inPath ? { type: 'string' } : schemas.parameterSchema(schema);
    const isList = shown.type === 'array';
    return [
      {
        name: isList ? `${name}[]` : name,
        in: inPath ? 'path' : 'query',
        required: inPath || isRequired(schema),
        ...(shown.type === 'object' ? { style: 'deepObject', explode: true } : {}),
        schema: shown,
      },
    ];
  });
}

function bodyOf(endpoint: DocumentedEndpoint, schemas: ComponentSchemas): JsonSchema | undefined {
  const shape = (endpoint.parameters?.shape ?? {}) as Shape;
  const own = Object.entries(shape).filter(([name]) => !endpoint.pathNames.includes(name));
  if (own.length === 0) return undefined;
  const required = own.filter(([, schema]) => isRequired(schema)).map(([name]) => name);
  const { bodyBytesMax, files = {} } = endpoint;
  return {
    ...(bodyBytesMax === httpLimits.parametersBytesMax ? {} : { description: `At most ${bodyBytesMax} bytes.` }),
    required: required.length > 0,
    content: contentOf(
      Object.fromEntries(
        own.map(([name, one]) => [name, files[name] ? binary(files[name]) : schemas.parameterSchema(one)]),
      ),
      required,
      files,
    ),
  };
}

/** Files come in multipart forms. JSON does without them, where none is required. */
function contentOf(properties: Record<string, JsonSchema>, required: readonly string[], files: FileLimits) {
  const objectOf = (names: readonly string[], shown: FileLimits) => {
    const demanded = required.filter((name) => names.includes(name));
    const schemaOf = (name: string) => withGroupFiles(properties[name]!, name, files, shown);
    return {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, schemaOf(name)])),
      ...(demanded.length === 0 ? {} : { required: demanded }),
    };
  };
  const names = Object.keys(properties);
  const withoutFiles = names.filter((name) => !(name in files));
  const needsFile = required.some((name) => name in files);
  return {
    ...(needsFile ? {} : { [jsonType]: { schema: objectOf(withoutFiles, {}) } }),
    ...(Object.keys(files).length === 0 ? {} : { [formType]: { schema: objectOf(names, files) } }),
  };
}

/** Of a list of groups that have files, such as `group[][file]`: those that are shown, and none of the others. */
function withGroupFiles(schema: JsonSchema, name: string, files: FileLimits, shown: FileLimits): JsonSchema {
  const prefix = `${name}[][`;
  const paths = Object.keys(files).filter((path) => path.startsWith(prefix));
  if (paths.length === 0) return schema;
  const items = schema.items as { readonly properties: Readonly<Record<string, JsonSchema>> };
  const properties = { ...items.properties };
  for (const path of paths) {
    const inner = path.slice(prefix.length, -1);
    if (shown[path] === undefined) delete properties[inner];
    else properties[inner] = binary(shown[path]);
  }
  return { ...schema, items: { ...items, properties } };
}

function binary({ bytesMax }: FileLimit): JsonSchema {
  return { type: 'string', format: 'binary', description: `At most ${bytesMax} bytes.` };
}

/** A missing required parameter is refused by a zod issue or by a Failure. */
function isRequired(schema: z.ZodType): boolean {
  try {
    return !schema.safeParse(undefined).success;
  } catch {
    return true;
  }
}

const failureWords: Readonly<Record<string, string>> = {
  401: 'There is no valid token.',
  403: 'The token lacks the scope, or its user may not do this.',
  404: 'There is no such thing, or the user may not see it.',
  422: 'A parameter is missing or wrong.',
  429: 'Too many requests: X-RateLimit-Reset says when there may be more.',
};

function responsesOf(
  { authentication, scopes, parameters, pathNames, rateLimit, answer, failureStyle }: DocumentedEndpoint,
  schemas: ComponentSchemas,
): Record<string, JsonSchema> {
  if (failureStyle === 'oauth')
    return { ...successOf(answer, schemas), '4XX': { $ref: '#/components/responses/OAuth' } };
  const failures = [
    ...(authentication === 'none' ? [] : [401]),
    ...(scopes.length === 0 ? [] : [403]),
    ...(pathNames.length === 0 ? [] : [404]),
    ...(parameters === undefined ? [] : [422]),
    ...(rateLimit === 'none' ? [] : [429]),
  ];
  return {
    ...successOf(answer, schemas),
    ...Object.fromEntries(failures.map((status) => [String(status), { $ref: `#/components/responses/${status}` }])),
  };
}

function failureResponses(schemas: ComponentSchemas): Record<string, JsonSchema> {
  const response = (description: string, entity: z.ZodType) => ({
    description,
    content: { [jsonType]: { schema: schemas.answerSchema(entity) } },
  });
  return {
    ...Object.fromEntries(
      Object.entries(failureWords).map(([status, words]) => [status, response(words, ErrorEntity)]),
    ),
    OAuth: response('The request is refused (RFC 6749 section 5.2).', OAuthErrorEntity),
  };
}

function successOf(answer: z.ZodType | undefined, schemas: ComponentSchemas): Record<string, JsonSchema> {
  if (answer === undefined || answer.def.type === 'never') return {};
  const { contentMediaType = jsonType, ...schema } = schemas.answerSchema(answer);
  return { 200: { description: 'Done.', content: { [String(contentMediaType)]: { schema } } } };
}
