/**
 * Declarations of what the gateway serves. An endpoint of the REST API is declared once: routing, parsing, validation,
 * the scope check and the rate limit derive from it. A raw route is for other interfaces (ActivityPub, pages), which
 * need the exact request.
 */
import { z } from 'zod';
import { sufficientScopes } from '../operations/applications/scopes.ts';
import type { StaffPermission } from '../operations/permissions.ts';
import type { Failure, FailureCode } from '../runtime/errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { Answer } from './http/answers.ts';
import type { AppContext, OpenContext, RawContext, RequestContext, UserContext } from './http/context.ts';
import type { FailureStyle } from './http/failure-answer.ts';
import type { Grant } from './http/grant.ts';
import { httpLimits } from './http/limits.ts';
import { fileLimitsOf } from './http/parameter-types.ts';
import type { ParameterTree } from './http/parameters/tree.ts';
import type { RateLimitClass } from './http/rate-limits.ts';
import type { IncomingRequest } from './http/request.ts';
import { patternNames } from './http/router.ts';
import type { FileLimits, SizeCheck, UploadChecks } from './http/uploads/upload.ts';
import { validate } from './http/validation.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `none`: tokens are ignored, for the endpoints by which clients obtain and revoke one, where an outdated token must
 * not be an obstacle. `optional`: works without a token, but a given one must be valid. `app`: any valid token. `user`:
 * the token of a user; one of an application itself is refused with Failure userRequired.
 */
export type Authentication = 'none' | 'optional' | 'app' | 'user';

interface ContextOf<Services> {
  none: OpenContext<Services>;
  optional: OpenContext<Services>;
  app: AppContext<Services>;
  user: UserContext<Services>;
}

export interface Deprecation {
  /** Milliseconds since 1970. */
  readonly at: number;
}

type NoParameters = z.ZodObject<Record<never, never>>;

interface EndpointFields<Services, Schema extends z.ZodObject, Kind extends Authentication> {
  /** Segments may be `:name`; each name must be a key of `parameters`. */
  readonly path: string;
  /** More paths at which applications ask for it, with the same names; the API document leaves them out. */
  readonly olderPaths?: readonly string[];
  readonly authentication: Kind;
  /** A token, if given, needs any one of these; empty when every token is sufficient. */
  readonly scopes?: readonly string[];
  /** Whether the token of a user with an unconfirmed email address is accepted. */
  readonly admitsUnconfirmed?: true;
  /** Whether a required user may have moved to another account (behaviour of the Mastodon API: hardly anywhere). */
  readonly admitsMoved?: true;
  /** The failure for a token without the scope; `scopeMissing` by default. */
  readonly scopeFailure?: FailureCode;
  /**
   * Throws a Failure for callers that `authentication` lets in but the server refuses, whatever their parameters. Returns what
   * else checks the size of an upload while it arrives.
   */
  admit?(context: ContextOf<Services>[Kind]): SizeCheck | undefined;
  /** Parameters of path, query and body together: the path wins over the body, the body over the query. */
  readonly parameters?: Schema;
  /** `none` counts nothing; any class but `api` counts in addition to `api`. */
  readonly rateLimit?: RateLimitClass | 'none';
  /** One sentence about its purpose. */
  readonly summary: string;
  /** The shape of a successful answer, for the API document and for tests; `z.never()` where there is none. */
  readonly answer?: z.ZodType;
  /** Set where clients should use something else: the Deprecation header is sent (RFC 9745). */
  readonly deprecated?: Deprecation;
  readonly failureStyle?: FailureStyle;
  readonly bodyBytesMax?: number;
  /** May throw a Failure. Returns a value rather than a promise where possible: a promise costs every read. */
  handler(context: ContextOf<Services>[Kind], parameters: z.output<Schema>): Answer | Promise<Answer>;
}

/** PUT and PATCH of an update share one declaration. */
export type EndpointDeclaration<Services, Schema extends z.ZodObject, Kind extends Authentication> = EndpointFields<
  Services,
  Schema,
  Kind
> &
  (
    | { readonly method: Method; readonly methods?: never }
    | { readonly methods: readonly Method[]; readonly method?: never }
  );

declare const validated: unique symbol;
/** The result of `validate` of the same endpoint. */
export interface ValidParameters {
  readonly [validated]: true;
}

const noParameters = {};

export interface Endpoint<Services> {
  readonly methods: readonly Method[];
  readonly path: string;
  readonly olderPaths: readonly string[];
  readonly pathNames: readonly string[];
  readonly authentication: Authentication;
  /** As declared. */
  readonly scopes: readonly string[];
  /** With the scopes that include them; empty when every token is sufficient. */
  readonly sufficientScopes: readonly string[];
  readonly admitsUnconfirmed: boolean;
  readonly admitsMoved: boolean;
  readonly scopeFailure: FailureCode;
  /** As declared. The grant must have been checked against `authentication`. */
  admit(context: RequestContext<Services, Grant | undefined>): SizeCheck | undefined;
  readonly parameters: z.ZodObject | undefined;
  readonly parameterNames: ReadonlySet<string>;
  /** Whether there are parameters besides those of the path. */
  readonly hasFreeParameters: boolean;
  readonly rateLimit: RateLimitClass | 'none';
  readonly summary: string;
  readonly answer: z.ZodType | undefined;
  readonly deprecated: Deprecation | undefined;
  readonly failureStyle: FailureStyle;
  readonly bodyBytesMax: number;
  /** Those among its parameters, which multipart forms may contain; undefined where it takes none. */
  readonly files: FileLimits | undefined;
  /** The parameters for the handler. Throws Failure for invalid ones. */
  validate(parameters: ParameterTree): ValidParameters;
  /** The validated parameters without those of the path. */
  withoutPath(parameters: ValidParameters): Partial<ValidParameters>;
  /** The same with another path. Throws Failure for an invalid one. */
  withPath(parameters: Partial<ValidParameters>, path: ParameterTree): ValidParameters;
  /** Runs the handler. The grant must have been checked against `authentication`. */
  respond(context: RequestContext<Services, Grant | undefined>, parameters: ValidParameters): Answer | Promise<Answer>;
}

/** Throws an Error for a contradictory declaration: an unknown scope, a path name without a schema. */
export function endpointOver<Services, Kind extends Authentication, Schema extends z.ZodObject = NoParameters>(
  declaration: EndpointDeclaration<Services, Schema, Kind>,
): Endpoint<Services> {
  const { path, parameters } = declaration;
  const pathNames = patternNames(path);
  const keys = parameters === undefined ? [] : Object.keys(parameters.shape);
  const missing = pathNames.filter((name) => !keys.includes(name));
  if (missing.length > 0) throw new Error(`${path} declares no parameter ${missing.join(', ')}`);
  const scopes = declaration.scopes ?? [];
  const ofPath = parameters && z.object(Object.fromEntries(pathNames.map((name) => [name, parameters.shape[name]!])));
  return {
    methods: declaration.method === undefined ? declaration.methods : [declaration.method],
    path,
    olderPaths: declaration.olderPaths ?? [],
    pathNames,
    authentication: declaration.authentication,
    scopes,
    sufficientScopes: sufficientScopes(scopes),
    admitsUnconfirmed: declaration.admitsUnconfirmed === true,
    admitsMoved: declaration.admitsMoved === true,
    scopeFailure: declaration.scopeFailure ?? 'scopeMissing',
    admit: (context) => declaration.admit?.(context as ContextOf<Services>[Kind]),
    parameters,
    parameterNames: new Set(keys),
    hasFreeParameters: keys.length > pathNames.length,
    rateLimit: declaration.rateLimit ?? 'api',
    summary: declaration.summary,
    answer: declaration.answer,
    deprecated: declaration.deprecated,
    failureStyle: declaration.failureStyle ?? 'api',
    bodyBytesMax: declaration.bodyBytesMax ?? httpLimits.parametersBytesMax,
    files: parameters && fileLimitsOf(parameters.shape),
    validate: (tree) => (parameters === undefined ? noParameters : validate(parameters, tree)) as ValidParameters,
    withoutPath: (values) =>
      pathNames.length === 0
        ? values
        : Object.fromEntries(Object.entries(values).filter(([name]) => !pathNames.includes(name))),
    withPath: (values, path) =>
      (ofPath === undefined || pathNames.length === 0
        ? values
        : { ...values, ...validate(ofPath, path) }) as ValidParameters,
    // Admission has proved that the grant is what `authentication` requires, and `validate` has produced the
    // parameters; the types cannot express that.
    respond: (context, values) => declaration.handler(context as ContextOf<Services>[Kind], values as z.output<Schema>),
  };
}

/** An endpoint of this server: `endpointOver` with the services of gateways. */
export const endpoint: <Kind extends Authentication, Schema extends z.ZodObject = NoParameters>(
  declaration: EndpointDeclaration<GatewayServices, Schema, Kind> & { readonly answer: z.ZodType },
) => Endpoint<GatewayServices> = endpointOver;

/** The multipart forms of a route. */
export interface RouteUpload<Services> {
  readonly files: FileLimits;
  /** Before anything of the form is read. May throw a Failure. */
  admit(context: RawContext<Services>): Promise<UploadChecks>;
}

/** The permission without which it is refused, or all of several; `any`: whoever has one of those of a section. */
export type StaffDemand = StaffPermission | readonly StaffPermission[] | 'any';

export interface RawRouteDeclaration<Services> {
  readonly method: Method;
  /** Segments may be `:name` or `@:name`, the last one `*name`. */
  readonly path: string;
  readonly rateLimit?: RateLimitClass;
  /** Of what is no upload. */
  readonly bodyBytesMax?: number;
  /** By default files in forms are ignored. */
  readonly upload?: RouteUpload<Services>;
  /** Of pages and forms of staff. */
  readonly demands?: StaffDemand;
  handler(context: RawContext<Services>): Answer | Promise<Answer>;
  /** Renders a failure; by default as the API does. */
  failed?(failure: Failure, request: IncomingRequest, services: Services): Answer;
}

export interface RawRoute<Services> extends RawRouteDeclaration<Services> {
  readonly pathNames: readonly string[];
}

export function rawRoute<Services>(declaration: RawRouteDeclaration<Services>): RawRoute<Services> {
  return { ...declaration, pathNames: patternNames(declaration.path) };
}
