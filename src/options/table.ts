/**
 * Every option of the server, once. The type of the loaded options, the names accepted in files, in the environment and
 * on the command line, the help text and the documentation derive from this table.
 */
import type { z } from 'zod';
import { optionLimits } from './limits.ts';
import {
  emailAddress,
  handleDomain,
  lineOfText,
  listenAddress,
  listOfNames,
  oneOf,
  onOff,
  streamingOrigin,
  webOrigin,
  wholeNumber,
} from './values.ts';

/** What a default may be computed from. */
interface KnownOptions {
  readonly port: number;
}

export interface OptionDeclaration<Name extends string, Value> {
  /** The key in a configuration file and in the loaded options. */
  readonly name: Name;
  readonly environment: `MURMURATION_${string}`;
  /** Its description completes "must be …". */
  readonly schema: z.ZodType<Value>;
  readonly default: Value | ((known: KnownOptions) => Value);
  /** How the help shows a computed default. */
  readonly defaultText?: string;
  readonly unit?: string;
  /** What it decides, for the operator. */
  readonly sentence: string;
}

function option<const Name extends string, const Value>(
  declaration: OptionDeclaration<Name, Value>,
): OptionDeclaration<Name, Value> {
  return declaration;
}

/** The address of the server when no origin is configured. */
export function defaultOrigin(port: number): string {
  return `http://localhost:${port}`;
}

const automaticThreads = wholeNumber(0, optionLimits.threadsOfAKindMax);

export const optionTable = [
  option({
    name: 'port',
    environment: 'MURMURATION_PORT',
    schema: wholeNumber(0, optionLimits.portMax),
    default: 3000,
    sentence: 'TCP port that the server listens on; 0 takes a free one.',
  }),
  option({
    name: 'host',
    environment: 'MURMURATION_HOST',
    schema: listenAddress,
    default: '127.0.0.1',
    sentence:
      'Address that the server listens on. The default is reached from this machine only, also as http://localhost:3000; 0.0.0.0 or :: listens on every interface.',
  }),
  option({
    name: 'origin',
    environment: 'MURMURATION_ORIGIN',
    schema: webOrigin,
    default: ({ port }) => defaultOrigin(port),
    defaultText: 'http://localhost:PORT',
    sentence:
      'Public origin of the server. It is part of every link and account, and cannot be changed later; other servers need https and a name that resolves.',
  }),
  option({
    name: 'domain',
    environment: 'MURMURATION_DOMAIN',
    schema: handleDomain,
    default: undefined,
    defaultText: 'the host of the origin',
    sentence:
      'Domain of the handles when it is not the host of the origin, such as example.org for https://social.example.org. https://DOMAIN/.well-known/webfinger and host-meta must lead to the server; it cannot be changed later.',
  }),
  option({
    name: 'dataDirectory',
    environment: 'MURMURATION_DATA_DIR',
    schema: lineOfText,
    default: './data',
    sentence: 'Folder of everything the server stores, relative to the working directory; created when missing.',
  }),
  option({
    name: 'gateways',
    environment: 'MURMURATION_GATEWAYS',
    schema: automaticThreads,
    default: 0,
    unit: 'threads',
    sentence: 'Threads that answer HTTP and WebSocket; 0 chooses by the number of cores.',
  }),
  option({
    name: 'owners',
    environment: 'MURMURATION_OWNERS',
    schema: automaticThreads,
    default: 0,
    unit: 'threads',
    sentence: 'Threads that own and write the partitions; 0 chooses by the number of cores.',
  }),
  option({
    name: 'networkThreads',
    environment: 'MURMURATION_NETWORK_THREADS',
    schema: automaticThreads,
    default: 0,
    unit: 'threads',
    sentence: 'Threads that talk to other servers; 0 chooses by the number of cores.',
  }),
  option({
    name: 'partitions',
    environment: 'MURMURATION_PARTITIONS',
    schema: wholeNumber(0, optionLimits.partitionsMax),
    default: 0,
    unit: 'partitions',
    sentence:
      'Number of partitions of a new data folder. An existing folder is refused if it has another number (murmuration repartition changes it). 0 takes the number of an existing folder; a new one gets a partition for each owner thread, at least 2.',
  }),
  option({
    name: 'poolThreads',
    environment: 'MURMURATION_POOL_THREADS',
    schema: wholeNumber(1, optionLimits.threadsOfAKindMax),
    default: 1,
    unit: 'threads',
    sentence:
      'Threads that clean long or unusual HTML of other servers, at most so many for each thread that answers HTTP or talks to other servers. They start when such HTML arrives.',
  }),
  option({
    name: 'registrations',
    environment: 'MURMURATION_REGISTRATIONS',
    schema: oneOf(['open', 'approval', 'closed']),
    default: 'open',
    sentence: 'Who may sign up on a new server, until staff change the setting.',
  }),
  option({
    name: 'federationAllowPrivate',
    environment: 'MURMURATION_FEDERATION_ALLOW_PRIVATE',
    schema: onOff,
    default: false,
    sentence: 'Whether other servers may be at private or loopback addresses; for tests and closed networks only.',
  }),
  option({
    name: 'federationAllowHttp',
    environment: 'MURMURATION_FEDERATION_ALLOW_HTTP',
    schema: onOff,
    default: false,
    sentence: 'Whether other servers may be reached without TLS; for tests and closed networks only.',
  }),
  option({
    name: 'rateLimits',
    environment: 'MURMURATION_RATE_LIMITS',
    schema: onOff,
    default: true,
    sentence: 'Whether requests are limited per address and per account.',
  }),
  option({
    name: 'trustedProxies',
    environment: 'MURMURATION_TRUSTED_PROXIES',
    schema: wholeNumber(0, optionLimits.trustedProxiesMax),
    default: 0,
    sentence:
      'How many proxies are in front of the server, each of which sets X-Forwarded-For. With 0 the headers X-Forwarded-For, -Proto and -Host are ignored.',
  }),
  option({
    name: 'oauthPasswordGrant',
    environment: 'MURMURATION_OAUTH_PASSWORD_GRANT',
    schema: onOff,
    default: false,
    sentence: 'Whether applications may sign in with an e-mail address and a password (grant_type=password).',
  }),
  option({
    name: 'dialect',
    environment: 'MURMURATION_DIALECT',
    schema: oneOf(['specification', 'mastodon']),
    default: 'specification',
    sentence: 'Form of the few answers in which the specification and current Mastodon applications differ.',
  }),
  option({
    name: 'mastodonClients',
    environment: 'MURMURATION_MASTODON_CLIENTS',
    schema: listOfNames,
    default: [],
    defaultText: 'the names in config/clients.json',
    sentence: 'Names of applications that get the mastodon dialect when they register, compared without case.',
  }),
  option({
    name: 'streamingOrigin',
    environment: 'MURMURATION_STREAMING_ORIGIN',
    schema: streamingOrigin,
    default: undefined,
    sentence: 'Origin announced for streaming when it differs from the public origin.',
  }),
  option({
    name: 'logLevel',
    environment: 'MURMURATION_LOG_LEVEL',
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    sentence: 'The least important messages that are logged.',
  }),
  option({
    name: 'tracing',
    environment: 'MURMURATION_TRACING',
    schema: onOff,
    default: false,
    sentence:
      'Whether the log follows each request to the API through turns, effects and deliveries, by its X-Request-Id.',
  }),
  option({
    name: 'metricsPort',
    environment: 'MURMURATION_METRICS_PORT',
    schema: wholeNumber(0, optionLimits.portMax),
    default: 0,
    sentence: 'TCP port that serves /metrics, in the text format of Prometheus; 0 for none.',
  }),
  option({
    name: 'metricsHost',
    environment: 'MURMURATION_METRICS_HOST',
    schema: listenAddress,
    default: '127.0.0.1',
    sentence: 'Address that the metrics port listens on. Whoever reaches it can read the metrics.',
  }),
  option({
    name: 'title',
    environment: 'MURMURATION_TITLE',
    schema: lineOfText,
    default: 'Murmuration',
    sentence: 'Name of a new server, until staff change the setting.',
  }),
  option({
    name: 'contactEmail',
    environment: 'MURMURATION_CONTACT_EMAIL',
    schema: emailAddress,
    default: undefined,
    sentence: 'Address at which people reach whoever runs the server.',
  }),
  option({
    name: 'translationOrigin',
    environment: 'MURMURATION_TRANSLATION_ORIGIN',
    schema: webOrigin,
    default: undefined,
    sentence: 'Origin of a LibreTranslate server that translates public posts; without it there are no translations.',
  }),
  option({
    name: 'translationKey',
    environment: 'MURMURATION_TRANSLATION_KEY',
    schema: lineOfText,
    default: undefined,
    sentence: 'The api_key of the LibreTranslate server, if it needs one; a secret.',
  }),
  option({
    name: 'memory',
    environment: 'MURMURATION_MEMORY',
    schema: wholeNumber(0, optionLimits.memoryMegabytesMax),
    default: 0,
    unit: 'MB',
    sentence: `Memory that the server may use, without the pages of its database, which the operating system caches. What the threads do not need for their work is given to caches. At least ${optionLimits.memoryMegabytesMin}, more with many threads; 0 takes a quarter of the memory of the machine, at least what the threads need and at most 2048.`,
  }),
  option({
    name: 'feedRings',
    environment: 'MURMURATION_FEED_RINGS',
    schema: wholeNumber(0, optionLimits.feedRingsMax),
    default: 0,
    unit: 'rings per partition',
    sentence:
      'Home feeds that are kept in memory, for the most recently active accounts; 0 takes as many as fit into their share of the memory.',
  }),
  option({
    name: 'homeRebuildMilliseconds',
    environment: 'MURMURATION_HOME_REBUILD_MILLISECONDS',
    schema: wholeNumber(0, optionLimits.homeRebuildMillisecondsMax),
    default: 1_000,
    unit: 'ms',
    sentence:
      'How long a request waits for a home timeline that has to be rebuilt. After that it is answered with what is there and status 206 (specification 3); 0 does not wait.',
  }),
] as const;

type Row = (typeof optionTable)[number];

type ValueOf<Declaration> = Declaration extends OptionDeclaration<string, infer Value> ? Value : never;

/** The loaded options; 0 still means automatic (`planThreads` decides). */
export type Options = { readonly [Declaration in Row as Declaration['name']]: ValueOf<Declaration> };

/** Any row, for code that iterates over the table. */
export type AnyOption = OptionDeclaration<string, unknown>;

export const allOptions: readonly AnyOption[] = optionTable;
