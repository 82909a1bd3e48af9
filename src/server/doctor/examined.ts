/** What the checks look at: the configuration, what was read from the data folder, and whether a server runs. */
import type { KeyPair } from '../../actors/account/profile/profile.records.ts';
import type { InstanceSecrets } from '../../actors/instance/instance.messages.ts';
import type { Retention } from '../../actors/instance/retention/retention.records.ts';
import type { Options } from '../../options/table.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import { selfCheckHeader, selfCheckToken } from '../../services/self-check.ts';
import type { MainInput } from '../main-input.ts';
import { ask, type Question, type Reply } from './ask.ts';

/** Read at once, so that nothing stays open while other machines are asked. */
export interface Stored {
  readonly origin: string | undefined;
  readonly domain: string | undefined;
  readonly partitions: number;
  readonly secrets: InstanceSecrets | undefined;
  /** Of local accounts, by their ids; not more than some. */
  readonly keyPairs: readonly (readonly [id: bigint, pair: KeyPair])[];
  /** Other servers that are known, some of them. */
  readonly hosts: readonly string[];
  /** The rule for old posts of other servers; undefined where there was never one. */
  readonly retention: Retention | undefined;
}

export interface Examined {
  readonly main: MainInput;
  readonly options: Options;
  /** Absolute. */
  readonly folder: string;
  /** Undefined where nothing is stored yet; a sentence where it cannot be read. */
  readonly stored: Stored | string | undefined;
  readonly isRunning: boolean;
  /** Servers by whose clock to go, in place of known ones. */
  readonly clocks: readonly string[];
}

/** What is true for a check: the address of the server, and its secrets. */
export interface Served {
  readonly origin: URL;
  readonly secrets: InstanceSecrets;
  readonly options: Options;
}

export function originOf({ options, stored }: Pick<Examined, 'options' | 'stored'>): URL {
  const known = typeof stored === 'object' ? stored.origin : undefined;
  return new URL(known ?? options.origin);
}

export function portOf({ protocol, port }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** The host without the brackets of an IPv6 address. */
export function nameOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** With the headers by which the server knows the doctor. */
export function askServer(
  { origin, secrets }: Pick<Served, 'origin' | 'secrets'>,
  path: string,
  question: Omit<Question, 'url'>,
): Promise<Reply> {
  const headers = { ...question.headers, [selfCheckHeader]: selfCheckToken(secrets, systemClock.now()) };
  return ask({ ...question, url: new URL(path, origin), headers });
}
