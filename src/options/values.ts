/**
 * The types of option values. Each schema reads both the text of an environment variable and the JSON of a
 * configuration file, and its description completes the sentence "must be …".
 */
import { z } from 'zod';
import { optionLimits } from './limits.ts';

/** A whole number, in JSON or in decimal digits. */
export function wholeNumber(minimum: number, maximum: number): z.ZodType<number> {
  return z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
      z.int().min(minimum).max(maximum),
    )
    .describe(`a whole number from ${minimum} to ${maximum}`);
}

const onWords: readonly unknown[] = ['on', 'true', '1', 1];
const offWords: readonly unknown[] = ['off', 'false', '0', 0];

/** A switch: `on`, `true`, `1` or `off`, `false`, `0`. */
export const onOff: z.ZodType<boolean> = z
  .preprocess((value) => {
    if (onWords.includes(value)) return true;
    return offWords.includes(value) ? false : value;
  }, z.boolean())
  .describe('on or off');

/** A part of a whole. */
export const share: z.ZodType<number> = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d(\.\d{1,12})?$/.test(value) ? Number(value) : value),
    z.number().min(0).max(1),
  )
  .describe('a number from 0 to 1 such as 0.05');

export function oneOf<const Word extends string>(words: readonly [Word, ...Word[]]): z.ZodType<Word> {
  return z.enum(words).describe(`one of ${words.join(', ')}`);
}

/** One line of text, without white space around it. */
export const lineOfText: z.ZodType<string> = z
  .string()
  .trim()
  .min(1)
  .max(optionLimits.textCharactersMax)
  .regex(/^\P{Cc}*$/u)
  .describe(`one line of 1 to ${optionLimits.textCharactersMax} characters`);

/** In milliseconds since 1970. */
export const moment: z.ZodType<number> = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/)
  .transform((text, context) => parseMoment(text) ?? refuse(context))
  .describe('a moment in UTC such as 2026-01-02T03:04:05Z');

/** `Date.parse` takes the 31st of February for the third of March. */
function parseMoment(text: string): number | undefined {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) return undefined;
  return new Date(milliseconds).toISOString().startsWith(text.slice(0, 16)) ? milliseconds : undefined;
}

/** In octal digits, as chmod takes them. */
export const permissionBits: z.ZodType<number> = z
  .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string().regex(/^0?[0-7]{3}$/))
  .transform((digits) => Number.parseInt(digits, 8))
  .describe('three octal digits such as 660');

/** The address of a listening socket; whether it exists turns out when listening. */
export const listenAddress: z.ZodType<string> = z
  .string()
  .regex(/^[\w.:%-]{1,253}$/)
  .describe('an address such as 127.0.0.1 or ::, or a host name');

export const emailAddress: z.ZodType<string> = z.email().describe('an e-mail address such as alice@example.org');

/** With user and password percent-encoded; the port is 465 for smtps and 587 for smtp, unless it is given. */
export const smtpAddress: z.ZodType<string> = z
  .string()
  .refine((text) => {
    const url = /^smtps?:\/\/[^/?#\s]+$/i.test(text) ? URL.parse(text) : null;
    return url !== null && url.hostname !== '' && (url.username === '') === (url.password === '');
  })
  .describe('an address such as smtps://user:password@mail.example.org or smtp://localhost:25');

/** Names, as a JSON array or as text with commas between them. */
export const listOfNames: z.ZodType<readonly string[]> = z
  .preprocess(
    (value) => (typeof value === 'string' ? splitNames(value) : value),
    z.array(lineOfText).max(optionLimits.listItemsMax),
  )
  .describe('a list of names, with commas between them');

function isNatsServer(text: string): boolean {
  const url = /^(nats|tls):\/\/[^/?#\s]+$/.test(text) ? URL.parse(text) : null;
  return url !== null && url.hostname !== '' && (url.username === '') === (url.password === '');
}

export const natsServers: z.ZodType<readonly string[]> = z
  .preprocess(
    (value) => (typeof value === 'string' ? splitNames(value) : value),
    z.array(z.string().refine(isNatsServer)).min(1).max(optionLimits.listItemsMax),
  )
  .describe('a list of addresses such as nats://user:password@one.example.org:4222, with commas between them');

function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** `http` or `https`, a host and optionally a port; normalised to lower case and ASCII, without a default port. */
export const webOrigin: z.ZodType<string> = z
  .string()
  .transform((text, context) => parseOrigin(text) ?? refuse(context))
  .describe('an origin such as https://social.example, without a path and without a slash at the end');

/** `signed`, or an address to which the names of objects are appended; without a slash at its end. */
export const publicBucket: z.ZodType<string> = z
  .string()
  .transform((text, context) => (text === 'signed' ? text : (parseBase(text) ?? refuse(context))))
  .describe('"signed", or an address such as https://media.example.org or https://s3.example.org/media');

/** Without a slash at its end. */
export const webAddress: z.ZodType<string> = z
  .string()
  .transform((text, context) => parseBase(text) ?? refuse(context))
  .describe('an address such as http://127.0.0.1:4318 or https://collector.example.org/otlp');

/** As text: `name=value`, with commas between them and percent-encoded values. */
export const headerLines: z.ZodType<Readonly<Record<string, string>>> = z
  .preprocess(
    (value) => (typeof value === 'string' ? splitHeaders(value) : value),
    z.record(
      z.string().regex(/^(?!(?:host|connection|content-.*|transfer-encoding|expect|upgrade|keep-alive)$)[\w-]{1,64}$/i),
      z
        .string()
        .regex(/^[\x20-\x7e]*$/)
        .max(optionLimits.headerCharactersMax),
    ),
  )
  .describe('headers such as authorization=Bearer%20TOKEN, with commas between them');

function splitHeaders(text: string): Record<string, string> | undefined {
  try {
    const lines = splitNames(text).map((line) => {
      const [, name, value] = /^([^=]+?)\s*=\s*(.*)$/.exec(line) ?? [];
      return [name ?? '', decodeURIComponent(value ?? '')];
    });
    return Object.fromEntries(lines) as Record<string, string>;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function parseBase(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i.test(text)) return undefined;
  return URL.parse(text)?.href.replace(/\/+$/, '');
}

/** A host and optionally a port, as in handles; normalised to lower case and ASCII, without port 443. */
export const handleDomain: z.ZodType<string> = z
  .string()
  .transform((text, context) => parseDomain(text) ?? refuse(context))
  .describe('a domain such as example.org, without a scheme, a path or a slash');

function parseDomain(text: string): string | undefined {
  const origin = parseOrigin(`https://${text}`);
  return origin === undefined ? undefined : new URL(origin).host;
}

/** An origin that may also be written with `ws` or `wss`; normalised to `http` or `https`. */
export const streamingOrigin: z.ZodType<string> = z
  .string()
  .transform((text, context) => parseOrigin(text.replace(/^ws(s?):/i, 'http$1:')) ?? refuse(context))
  .describe(
    'an origin such as https://social.example or wss://social.example, with neither a path nor a slash at the end',
  );

function parseOrigin(text: string): string | undefined {
  // The text is an origin when nothing remains besides scheme, host and port: no credentials, path, query or fragment.
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(text)) return undefined;
  return URL.parse(text)?.origin;
}

function refuse(context: { addIssue(message: string): void }): never {
  context.addIssue('not what it must be');
  return z.NEVER;
}
