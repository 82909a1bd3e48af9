/**
 * The operator's command line: `murmuration accounts create NAME …` and so on, for a running server or a stopped one.
 * Exit codes: 0 done, 1 refused or failed, 2 the command was not understood.
 */
import { describeOptions } from '../../../options/describe.ts';
import { software } from '../../../services/software.ts';
import type { AdminConnection } from '../admin/client.ts';
import { AdminAnswer, RepartitionInput, StatusInput, TopInput } from '../admin/requests.ts';
import type { Command } from '../commands/command.ts';
import { commands } from '../commands/commands.ts';
import { UsageError } from '../commands/reading.ts';
import { asksForHelp, versionWord } from './is-command.ts';
import { type ParsedCommand, parseCommand, usage } from './parse.ts';
import { ownTerminal, topOnce, watchTop } from './top.ts';
import { watchStatus } from './watch-status.ts';

/** A command that the process carries out itself. Rejects with an Error whose message is a sentence. */
export type OwnCommand = (
  input: unknown,
  told: {
    /** Shows how far it is. */
    show(line: string): void;
    complain(sentence: string): void;
    /** Aborted when the operator ends it. */
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly ok: boolean; readonly lines: readonly string[] }>;

export interface CommandEnvironment {
  /**
   * Connects to the running server (`running`), or starts what a command needs; `mayCreate` says whether on a new data
   * folder too. Rejects with an Error whose message is a sentence.
   */
  openAdmin(mayCreate: boolean): Promise<AdminConnection & { readonly running?: boolean }>;
  /** Aborted when the operator ends a command that runs continuously. */
  readonly interruption?: () => AbortSignal;
  /** Checks the data folder of a stopped server. Rejects as `openAdmin` does. */
  check(): Promise<{ readonly sound: boolean; readonly lines: readonly string[] }>;
  /**
   * Moves the data folder of a stopped server to so many partitions; returns the lines to print. Rejects as `openAdmin`
   * does.
   */
  repartition(partitions: number): Promise<readonly string[]>;
  /** By their words. */
  readonly own?: Readonly<Record<string, OwnCommand>>;
  /** Prints a line; the console unless a test replaces it. */
  readonly print?: (line: string) => void;
  readonly complain?: (line: string) => void;
  /** Shows how far long work is, in the place of what it showed before; an empty line when it is done. */
  readonly showProgress?: (line: string) => void;
}

/** The exit code. Never rejects. */
export async function runCommand(
  programArguments: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const { print = console.log, complain = console.error } = environment;
  if (asksForHelp(programArguments)) {
    print(helpText(programArguments));
    return 0;
  }
  if (programArguments[0] === versionWord) {
    print(software.version);
    return 0;
  }
  try {
    const parsed = parseCommand(programArguments);
    const { request } = parsed;
    if (request.command === 'check') {
      const { sound, lines } = await environment.check();
      for (const line of lines) print(line);
      return sound ? 0 : 1;
    }
    if (request.command === 'repartition') {
      const { partitions } = RepartitionInput.parse(request.input);
      for (const line of await environment.repartition(partitions)) print(line);
      return 0;
    }
    const own = environment.own?.[request.command];
    if (own !== undefined) return await runOwn(own, request.input, environment);
    const answer = await runRequest(parsed, environment);
    if (answer === undefined) return 0;
    if (answer.ok) for (const line of answer.lines) print(line);
    else complain(answer.sentence);
    return answer.ok ? 0 : 1;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function runOwn(own: OwnCommand, input: unknown, environment: CommandEnvironment): Promise<number> {
  const {
    print = console.log,
    complain = console.error,
    showProgress = progressOfTerminal(),
    interruption,
  } = environment;
  const signal = interruption?.() ?? new AbortController().signal;
  try {
    const { ok, lines } = await own(input, { show: showProgress, complain, signal });
    showProgress('');
    for (const line of lines) print(line);
    return ok ? 0 : 1;
  } catch (error) {
    showProgress('');
    if (error !== signal.reason) throw error;
    complain('Interrupted.');
    return 1;
  }
}

const refreshMilliseconds = 1_000;

/** Undefined for a command that has printed everything itself. */
async function runRequest(
  { request, mayComeFirst }: ParsedCommand,
  { openAdmin, interruption, showProgress = progressOfTerminal() }: CommandEnvironment,
): Promise<AdminAnswer | undefined> {
  const admin = await openAdmin(mayComeFirst);
  try {
    if (request.command === 'status' && StatusInput.parse(request.input).live) {
      if (admin.running !== true) throw new Error('There is nothing to watch: the server is stopped.');
      const interrupted = interruption?.() ?? new AbortController().signal;
      await watchStatus(admin, process.stdout, interrupted, refreshMilliseconds);
      return undefined;
    }
    if (request.command === 'top') {
      if (admin.running !== true) throw new Error('There is nothing to see: the server is stopped.');
      const { once, json } = TopInput.parse(request.input);
      if (once) return { ok: true, lines: await topOnce(admin, json, refreshMilliseconds) };
      await watchTop(admin, ownTerminal(), interruption?.() ?? new AbortController().signal, refreshMilliseconds);
      return undefined;
    }
    if (request.command.startsWith('cluster ') && admin.running !== true)
      throw new Error('The server is stopped: there is no node to end.');
    if (request.command.startsWith('deliveries ') && admin.running !== true)
      throw new Error('There are no deliveries: the server is stopped.');
    const answer = await lastAnswer(admin, request, showProgress);
    if (!answer.ok || request.command !== 'status') return answer;
    const state = admin.running === true ? 'The server is running.' : 'The server is stopped.';
    return { ok: true, lines: [state, ...answer.lines] };
  } finally {
    await admin.close();
  }
}

/** Of work that goes on the server answers after each piece of it. */
async function lastAnswer(
  admin: AdminConnection,
  request: ParsedCommand['request'],
  showProgress: (line: string) => void,
): Promise<AdminAnswer> {
  for (;;) {
    const answer = AdminAnswer.safeParse(await admin.request(request));
    if (!answer.success) throw new Error('The server runs another version, whose answer this one does not understand.');
    if (!answer.data.ok || answer.data.goesOn !== true) {
      showProgress('');
      return answer.data;
    }
    showProgress(answer.data.lines.join(' '));
  }
}

const beginOfLine = '\r\u001b[K';

/** One line, which the next replaces. Beside the output, which scripts read; nothing where nobody looks. */
function progressOfTerminal(): (line: string) => void {
  let isShown = false;
  return (line) => {
    if (process.stderr.isTTY !== true || (line === '' && !isShown)) return;
    isShown = line !== '';
    process.stderr.write(`${beginOfLine}${line}`);
  };
}

/** With words of commands, as in `accounts --help`: only about those. */
function helpText(programArguments: readonly string[]): string {
  const asked = programArguments.filter((word) => word !== 'help' && !word.startsWith('-'));
  const alike = commands.filter(({ words }) => haveSameBeginning(words.split(' '), asked));
  if (asked.length > 0 && alike.length > 0) return alike.map(paragraphOf).join('\n\n');
  return [
    'Murmuration, a federated social server.',
    '  murmuration [OPTION …]\n      Starts the server.',
    '  murmuration --version\n      Prints the version.',
    '  murmuration load …\n      Loads this or another server and measures it: murmuration load --help.',
    ...commands.map(paragraphOf),
    describeOptions().help,
  ].join('\n\n');
}

function haveSameBeginning(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).join(' ') === other.slice(0, length).join(' ');
}

function paragraphOf(command: Command): string {
  return [
    `  ${usage(command)}`,
    `      ${command.sentence}`,
    ...Object.entries(command.flags).map(([flag, { sentence }]) => `      --${flag}: ${sentence}`),
  ].join('\n');
}
