/** The commands of the operator, once: what is accepted, the help, and the request that each becomes. */
import { roles } from '../../../actors/account/profile/profile.records.ts';
import { registrationModes } from '../../../actors/instance/instance.messages.ts';
import { dialects } from '../../../actors/session/session.messages.ts';
import { adminLimits } from '../admin/limits.ts';
import type { AdminRequest } from '../admin/requests.ts';

interface Flag {
  /** How the help names its value; a flag without one is a switch. */
  readonly value?: string;
  readonly words?: readonly string[];
  readonly required?: true;
  readonly sentence: string;
}

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

export interface Command {
  readonly words: string;
  /** The argument behind the words. */
  readonly argument?: { readonly name: string; readonly words?: readonly string[] };
  readonly flags: Readonly<Record<string, Flag>>;
  readonly sentence: string;
  /** `argument` is the empty text where the command takes none. */
  request(argument: string, flags: FlagValues): AdminRequest;
}

const name = { name: 'NAME' };
const letter = { name: 'ID|all' };
const role: Flag = { value: 'ROLE', words: roles, sentence: `What the account may do: ${roles.join(', ')}.` };

export const commands: readonly Command[] = [
  {
    words: 'accounts create',
    argument: name,
    flags: {
      email: { value: 'ADDRESS', required: true, sentence: 'The e-mail address to sign in with.' },
      password: { value: 'PASSWORD', sentence: 'The password; without it one is drawn and printed in the last line.' },
      role,
      confirmed: { sentence: 'Takes the e-mail address as confirmed; until it is, the account cannot sign in.' },
      approved: { sentence: 'Lets the account in where registrations need approval.' },
    },
    sentence: 'Creates an account. Whoever signs up without it counts as confirmed, because the server sends no mail.',
    request: (username, flags) => ({
      command: 'accounts create',
      username,
      email: text(flags, 'email') ?? '',
      password: text(flags, 'password'),
      role: word(flags, 'role', roles),
      confirmed: flags.confirmed === true,
      approved: flags.approved === true,
    }),
  },
  {
    words: 'accounts show',
    argument: name,
    flags: {},
    sentence: 'Shows an account and the state of its login.',
    request: (username) => ({ command: 'accounts show', username }),
  },
  {
    words: 'accounts modify',
    argument: name,
    flags: {
      role,
      password: { value: 'PASSWORD', sentence: 'Sets the password and ends all sessions and tokens.' },
      confirm: { sentence: 'Takes the e-mail address as confirmed.' },
      approve: { sentence: 'Lets a new account in.' },
      suspend: { sentence: 'Suspends the account: nobody sees it, and it cannot sign in.' },
      unsuspend: { sentence: 'Takes the suspension back.' },
      disable: { sentence: 'Keeps the account from signing in.' },
      enable: { sentence: 'Lets it sign in again.' },
    },
    sentence: 'Changes an account.',
    request: (username, flags) => ({
      command: 'accounts modify',
      username,
      password: text(flags, 'password'),
      role: word(flags, 'role', roles),
      confirmed: flags.confirm === true ? true : undefined,
      approved: flags.approve === true ? true : undefined,
      suspended: either(flags, 'suspend', 'unsuspend'),
      disabled: either(flags, 'disable', 'enable'),
    }),
  },
  {
    words: 'tokens create',
    argument: name,
    flags: {
      scopes: { value: '"SCOPE …"', required: true, sentence: 'What the token allows, as in "read write push".' },
      dialect: { value: 'DIALECT', words: dialects, sentence: `The form of some answers: ${dialects.join(' or ')}.` },
    },
    sentence: 'Gives an access token for an account and prints it alone on one line.',
    request: (username, flags) => ({
      command: 'tokens create',
      username,
      scopes: text(flags, 'scopes') ?? '',
      dialect: word(flags, 'dialect', dialects),
    }),
  },
  {
    words: 'settings registrations',
    argument: { name: 'MODE', words: registrationModes },
    flags: {},
    sentence: `Decides who may sign up: ${registrationModes.join(', ')}.`,
    request: (mode) => ({ command: 'settings registrations', mode: wordOf(mode, registrationModes) }),
  },
  {
    words: 'dead-letters list',
    flags: { limit: { value: 'NUMBER', sentence: `How many: ${adminLimits.lettersListed}, where it is not said.` } },
    sentence: 'Shows the newest messages inside the server that failed and were put aside.',
    request: (_argument, flags) => ({
      command: 'dead-letters list',
      limit: wholeNumber(flags, 'limit', adminLimits.lettersListedMax),
    }),
  },
  {
    words: 'dead-letters retry',
    argument: letter,
    flags: {},
    sentence: 'Sends a message that was put aside once more, or all of them: when what failed has been mended.',
    request: (named) => ({ command: 'dead-letters retry', letter: named }),
  },
  {
    words: 'dead-letters drop',
    argument: letter,
    flags: {},
    sentence: 'Forgets a message that was put aside, or all of them.',
    request: (named) => ({ command: 'dead-letters drop', letter: named }),
  },
  {
    words: 'poison list',
    flags: {},
    sentence: 'Shows the messages inside the server that are not run because they killed or blocked its threads.',
    request: () => ({ command: 'poison list' }),
  },
  {
    words: 'poison lift',
    argument: letter,
    flags: {},
    sentence: 'Lets such a message run again, or all of them: when what failed has been mended.',
    request: (named) => ({ command: 'poison lift', named: poisonId(named) }),
  },
  {
    words: 'status',
    flags: { watch: { sentence: 'Shows it again every second, with what changed, until it is interrupted.' } },
    sentence: 'Shows how much the server is used and how it is doing.',
    request: (_argument, flags) => ({ command: 'status', live: flags.watch === true }),
  },
];

/** A sentence about what was typed wrong. */
export class UsageError extends Error {}

/** The beginning of a digest, long enough to mean one message, or `all`. */
function poisonId(given: string): string {
  if (given === 'all' || /^[0-9a-f]{12,64}$/.test(given)) return given;
  throw new UsageError(`${given} is no ID of a poisonous message: poison list shows them.`);
}

function text(flags: FlagValues, flag: string): string | undefined {
  const value = flags[flag];
  return typeof value === 'string' ? value : undefined;
}

function word<const Word extends string>(flags: FlagValues, flag: string, words: readonly Word[]): Word | undefined {
  const given = text(flags, flag);
  return given === undefined ? undefined : wordOf(given, words, `--${flag}`);
}

function wordOf<const Word extends string>(given: string, words: readonly Word[], what = 'It'): Word {
  const found = words.find((candidate) => candidate === given);
  if (found === undefined) throw new UsageError(`${what} must be one of ${words.join(', ')}, not ${given}.`);
  return found;
}

function wholeNumber(flags: FlagValues, flag: string, max: number): number | undefined {
  const given = text(flags, flag);
  if (given === undefined) return undefined;
  const number = /^\d+$/.test(given) ? Number(given) : 0;
  if (number < 1 || number > max) throw new UsageError(`--${flag} must be a number from 1 to ${max}, not ${given}.`);
  return number;
}

function either(flags: FlagValues, yes: string, no: string): boolean | undefined {
  if (flags[yes] === true && flags[no] === true) throw new UsageError(`--${yes} and --${no} contradict each other.`);
  if (flags[yes] === true) return true;
  return flags[no] === true ? false : undefined;
}
