/**
 * Every option of the server, once. The type of the loaded options, the names accepted in files, in the environment and
 * on the command line, the help text and the documentation derive from this table.
 */
import { accountOptions } from './account-options.ts';
import { backupOptions } from './backup-options.ts';
import { clusterOptions } from './cluster-options.ts';
import { developmentOptions } from './development-options.ts';
import { optionLimits } from './limits.ts';
import { listeningOptions } from './listening-options.ts';
import { mediaPlaceOptions } from './media-place-options.ts';
import { observingOptions } from './observing-options.ts';
import { type OptionDeclaration, option } from './option.ts';
import { relayOptions } from './relay-options.ts';
import { replyOptions } from './reply-options.ts';
import {
  emailAddress,
  handleDomain,
  lineOfText,
  listenAddress,
  listOfNames,
  oneOf,
  onOff,
  smtpAddress,
  streamingOrigin,
  webOrigin,
  wholeNumber,
} from './values.ts';

/** The address of the server when no origin is configured. */
export function defaultOrigin(port: number, isSecure = false): string {
  return `http${isSecure ? 's' : ''}://localhost:${port}`;
}

const automaticThreads = wholeNumber(0, optionLimits.threadsOfAKindMax);

export const optionTable = [
  option({
    name: 'port',
    environment: 'MURMURATION_PORT',
    schema: wholeNumber(0, optionLimits.portMax),
    default: 3000,
    sentence: 'TCP port to listen on; 0 chooses a free one.',
  }),
  option({
    name: 'host',
    environment: 'MURMURATION_HOST',
    schema: listenAddress,
    default: '127.0.0.1',
    sentence:
      'Address to listen on. The default accepts connections from this machine only; 0.0.0.0 or :: listens on all interfaces.',
  }),
  ...listeningOptions,
  option({
    name: 'origin',
    environment: 'MURMURATION_ORIGIN',
    schema: webOrigin,
    default: ({ port, tlsCertificate }) => defaultOrigin(port, tlsCertificate !== undefined),
    defaultText: 'http://localhost:PORT',
    sentence:
      'Public origin of the server. It is part of every account and link and cannot be changed later. Other servers need https and a host name that resolves.',
  }),
  option({
    name: 'domain',
    environment: 'MURMURATION_DOMAIN',
    schema: handleDomain,
    default: undefined,
    defaultText: 'the host of the origin',
    sentence:
      'Domain in handles, if it is not the host of the origin: example.org for https://social.example.org. https://DOMAIN/.well-known/webfinger and /.well-known/host-meta must redirect to the server. It cannot be changed later.',
  }),
  option({
    name: 'dataDirectory',
    environment: 'MURMURATION_DATA_DIR',
    schema: lineOfText,
    default: './data',
    sentence: 'Folder in which the server stores everything, relative to the working directory; created if missing.',
  }),
  option({
    name: 'gateways',
    environment: 'MURMURATION_GATEWAYS',
    schema: automaticThreads,
    default: 0,
    unit: 'threads',
    sentence: 'Threads that serve HTTP and WebSocket; 0 chooses by the number of cores.',
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
      'Number of partitions of a new data folder. An existing folder with another number is refused (murmuration repartition changes it). 0 keeps the number of an existing folder; a new one gets one partition for each owner thread, at least 2.',
  }),
  option({
    name: 'poolThreads',
    environment: 'MURMURATION_POOL_THREADS',
    schema: wholeNumber(1, optionLimits.threadsOfAKindMax),
    default: 1,
    unit: 'threads',
    sentence:
      'Threads that sanitise long or unusual HTML of other servers: the maximum for each gateway and network thread. They start when such HTML arrives.',
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
    sentence: 'Whether servers at private or loopback addresses may be contacted; for tests and closed networks only.',
  }),
  option({
    name: 'federationAllowHttp',
    environment: 'MURMURATION_FEDERATION_ALLOW_HTTP',
    schema: onOff,
    default: false,
    sentence: 'Whether servers may be contacted without TLS; for tests and closed networks only.',
  }),
  option({
    name: 'documentSignatures',
    environment: 'MURMURATION_DOCUMENT_SIGNATURES',
    schema: onOff,
    default: true,
    sentence:
      'Whether public answers of local accounts, and all their public activities once the server has joined a relay, carry a signature of their own (RsaSignature2017), and other public activities a proof (FEP-8b32), so that others can pass them on. Off saves about a millisecond of CPU for each signature, and 0.2 for each proof.',
  }),
  option({
    name: 'pushPrivateHosts',
    environment: 'MURMURATION_PUSH_PRIVATE_HOSTS',
    schema: listOfNames,
    default: [],
    sentence:
      'Hosts, with or without a port, at private addresses to which push messages may be sent, such as a UnifiedPush server in your own network. All others must have public addresses.',
  }),
  option({
    name: 'webhookPrivateHosts',
    environment: 'MURMURATION_WEBHOOK_PRIVATE_HOSTS',
    schema: listOfNames,
    default: [],
    sentence:
      'Hosts, with or without a port, at private addresses or without TLS to which webhooks may be sent, such as a bot in your own network. All others must have public addresses and TLS.',
  }),
  option({
    name: 'cards',
    environment: 'MURMURATION_CARDS',
    schema: onOff,
    default: true,
    sentence: 'Whether the pages that posts link to are fetched for their previews.',
  }),
  option({
    name: 'rateLimits',
    environment: 'MURMURATION_RATE_LIMITS',
    schema: onOff,
    default: true,
    sentence: 'Whether requests are limited per address and per account.',
  }),
  option({
    name: 'compression',
    environment: 'MURMURATION_COMPRESSION',
    schema: onOff,
    default: true,
    sentence:
      'Whether answers are compressed for clients that accept it. A proxy in front may do it in place of the server.',
  }),
  option({
    name: 'trustedProxies',
    environment: 'MURMURATION_TRUSTED_PROXIES',
    schema: wholeNumber(0, optionLimits.trustedProxiesMax),
    default: 0,
    sentence:
      'Number of proxies in front of the server, each of which sets X-Forwarded-For. With 0 the headers X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are ignored.',
  }),
  option({
    name: 'oauthPasswordGrant',
    environment: 'MURMURATION_OAUTH_PASSWORD_GRANT',
    schema: onOff,
    default: false,
    sentence: 'Whether applications may sign users in with e-mail address and password (grant_type=password).',
  }),
  ...accountOptions,
  option({
    name: 'localOnlyPosts',
    environment: 'MURMURATION_LOCAL_ONLY_POSTS',
    schema: onOff,
    default: true,
    sentence: 'Whether people may write posts for this server alone, of which no other server is told.',
  }),
  option({
    name: 'dialect',
    environment: 'MURMURATION_DIALECT',
    schema: oneOf(['automatic', 'specification', 'mastodon']),
    default: 'automatic',
    sentence:
      'Form of the few answers in which the specification and current Mastodon applications differ. Automatic: mastodon for those who request other scopes than read, write and push.',
  }),
  option({
    name: 'mastodonClients',
    environment: 'MURMURATION_MASTODON_CLIENTS',
    schema: listOfNames,
    default: [],
    defaultText: 'the names in config/clients.json',
    sentence: 'Names of applications that get the mastodon dialect when they register; case is ignored.',
  }),
  option({
    name: 'streamingOrigin',
    environment: 'MURMURATION_STREAMING_ORIGIN',
    schema: streamingOrigin,
    default: undefined,
    sentence: 'Origin announced for streaming when it differs from the public origin.',
  }),
  option({
    name: 'streamCompression',
    environment: 'MURMURATION_STREAM_COMPRESSION',
    schema: onOff,
    default: false,
    sentence:
      'Whether WebSockets of streams are compressed (permessage-deflate) for clients that ask for it: fewer bytes for more CPU per event and socket.',
  }),
  ...observingOptions,
  option({
    name: 'title',
    environment: 'MURMURATION_TITLE',
    schema: lineOfText,
    default: 'Murmuration',
    sentence: 'Name of a new server, until staff change the setting.',
  }),
  option({
    name: 'language',
    environment: 'MURMURATION_LANGUAGE',
    schema: oneOf(['en', 'de']),
    default: 'en',
    sentence: 'Language of pages and mails for those who ask for none that this server speaks.',
  }),
  option({
    name: 'contactEmail',
    environment: 'MURMURATION_CONTACT_EMAIL',
    schema: emailAddress,
    default: undefined,
    sentence: 'E-mail address for contacting the operator.',
  }),
  option({
    name: 'smtpUrl',
    environment: 'MURMURATION_SMTP_URL',
    schema: smtpAddress,
    isSecret: true,
    default: undefined,
    sentence:
      'SMTP server that takes the mail of this server: smtps for TLS from the start, smtp for STARTTLS where it is offered, which it must be once a password is given. Unset, mail is written into files of the data folder, and new e-mail addresses are not confirmed. A secret where it has a password.',
  }),
  option({
    name: 'mailFrom',
    environment: 'MURMURATION_MAIL_FROM',
    schema: emailAddress,
    default: undefined,
    defaultText: 'no-reply@DOMAIN',
    sentence: 'Sender of the mail, to which bounces return.',
  }),
  option({
    name: 'translationOrigin',
    environment: 'MURMURATION_TRANSLATION_ORIGIN',
    schema: webOrigin,
    default: undefined,
    sentence: 'Origin of a LibreTranslate server that translates public posts; unset, there are no translations.',
  }),
  option({
    name: 'translationKey',
    environment: 'MURMURATION_TRANSLATION_KEY',
    schema: lineOfText,
    default: undefined,
    sentence: 'The api_key of the LibreTranslate server, if it needs one; a secret.',
  }),
  option({
    name: 'search',
    environment: 'MURMURATION_SEARCH',
    schema: onOff,
    default: true,
    sentence:
      'Whether people can search in the text of posts. It takes a thread, and disk space for an index in the data folder.',
  }),
  option({
    name: 'mediaOrigin',
    environment: 'MURMURATION_MEDIA_ORIGIN',
    schema: webOrigin,
    default: undefined,
    sentence:
      'Origin under which media are served, such as https://media.example.org: a proxy leads it to this server, or to the bucket. Unset, it is that of the server.',
  }),
  option({
    name: 'mediaCache',
    environment: 'MURMURATION_MEDIA_CACHE',
    schema: wholeNumber(optionLimits.mediaCacheBytesMin, optionLimits.mediaCacheBytesMax),
    default: 2_000_000_000,
    unit: 'bytes',
    sentence: 'Disk space for copies of media of other servers; what was viewed longest ago is removed first.',
  }),
  option({
    name: 'remoteStatusDays',
    environment: 'MURMURATION_REMOTE_STATUS_DAYS',
    schema: wholeNumber(0, optionLimits.remoteStatusDaysMax),
    default: 0,
    unit: 'days',
    sentence:
      'How old public posts of other servers become that nobody here has answered, boosted, favourited or kept; then the server forgets them, and fetches them again when somebody asks for them. 0 keeps all.',
  }),
  option({
    name: 'importBytes',
    environment: 'MURMURATION_IMPORT_BYTES',
    schema: wholeNumber(1, optionLimits.importBytesMax),
    default: 4_000_000_000,
    unit: 'bytes',
    sentence:
      'Size of an archive of posts that an account may bring along; while it is imported, the archive and what is in it take disk space.',
  }),
  ...mediaPlaceOptions,
  ...backupOptions,
  ...clusterOptions,
  ...relayOptions,
  ...replyOptions,
  ...developmentOptions,
  option({
    name: 'memory',
    environment: 'MURMURATION_MEMORY',
    schema: wholeNumber(0, optionLimits.memoryMegabytesMax),
    default: 0,
    unit: 'MB',
    sentence: `Memory that the server may use, without the pages of its database, which the operating system caches. What the threads do not need is used for caches. At least ${optionLimits.memoryMegabytesMin}, more with many threads; 0 chooses a quarter of the memory of the machine, at most 2048, but at least what the threads need.`,
  }),
  option({
    name: 'feedRings',
    environment: 'MURMURATION_FEED_RINGS',
    schema: wholeNumber(0, optionLimits.feedRingsMax),
    default: 0,
    unit: 'rings per partition',
    sentence:
      'Home feeds kept in memory, for the most recently active accounts; 0 chooses as many as fit into their share of the memory.',
  }),
  option({
    name: 'homeRebuildMilliseconds',
    environment: 'MURMURATION_HOME_REBUILD_MILLISECONDS',
    schema: wholeNumber(0, optionLimits.homeRebuildMillisecondsMax),
    default: 1_000,
    unit: 'ms',
    sentence:
      'How long a request waits while a home timeline is rebuilt. After that the incomplete timeline is returned with status 206; 0 does not wait.',
  }),
] as const;

type Row = (typeof optionTable)[number];

type ValueOf<Declaration> = Declaration extends OptionDeclaration<string, infer Value> ? Value : never;

/** The loaded options; 0 still means automatic (`planThreads` decides). */
export type Options = { readonly [Declaration in Row as Declaration['name']]: ValueOf<Declaration> };

/** Any row, for code that iterates over the table. */
export type AnyOption = OptionDeclaration<string, unknown>;

export const allOptions: readonly AnyOption[] = optionTable;
