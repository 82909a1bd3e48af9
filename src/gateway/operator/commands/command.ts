/**
 * A command of the operator, declared once: its words, the help, the operation it calls and what it prints. The command
 * line parses words into input, which is sent over the admin socket as JSON; a gateway thread runs the operation.
 */
import type { z } from 'zod';
import type { AuditDeclaration } from '../../../operations/audit.ts';
import { type OperatorCaller, operator } from '../../../operations/caller.ts';
import type { OperationContext } from '../../../operations/operation.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Services } from '../../../services/services.ts';

interface Flag {
  /** The name of its value in the help; a flag without one is a switch. */
  readonly value?: string;
  readonly required?: true;
  readonly sentence: string;
}

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

/** How a command is typed. */
interface CommandWords<Input> {
  readonly words: string;
  /** The argument after the words, or two. */
  readonly argument?: string | readonly [string, string];
  /** Switches of which one may stand in the place of the argument. */
  readonly instead?: readonly string[];
  readonly flags?: Readonly<Record<string, Flag>>;
  readonly sentence: string;
  /** Sets up a server that has never started: creates the data folder where it is missing. Others need one with data. */
  readonly mayComeFirst?: true;
  /** An argument is empty where the command takes none. Throws UsageError. */
  read(argument: string, flags: FlagValues, second?: string): Input;
}

export interface Command extends CommandWords<unknown> {
  readonly flags: Readonly<Record<string, Flag>>;
  /** What it writes to the audit log, by the command line; or why there is nothing to write. */
  readonly audit: AuditDeclaration;
  readonly operation?: unknown;
  /** Absent where the main thread answers (src/server/operator.ts). Throws Failure. */
  run?(services: Services, input: unknown): Promise<CommandOutput>;
}

export interface CommandOutput {
  /** To be printed. */
  readonly lines: readonly string[];
  /** The work goes on: the lines tell how far it is, and the command is sent again until they do not. */
  readonly goesOn: boolean;
}

interface CommandDeclaration<Input extends z.ZodType, Output> extends CommandWords<z.input<Input>> {
  /** An operation that operators may call. */
  readonly operation: {
    (context: OperationContext<OperatorCaller>, input: z.output<Input>): Output;
    readonly input: Input;
    /** Operators do what staff may do, and every operation of staff has one. */
    readonly audit: AuditDeclaration | undefined;
  };
  print(output: Awaited<Output>, input: z.output<Input>): readonly string[];
  /** Of work that takes longer than an answer may. */
  goesOn?(output: Awaited<Output>): boolean;
}

export const notUnderstood = 'This server does not know that command. Is it another version?';

export function command<Input extends z.ZodType, Output>(declaration: CommandDeclaration<Input, Output>): Command {
  const { operation, print, goesOn = () => false, flags = {}, ...words } = declaration;
  const { audit } = operation;
  if (audit === undefined) throw new Error(`${words.words} calls what says nothing about the audit log`);
  return {
    ...words,
    ...{ flags, audit, operation },
    async run(services, given) {
      const input = operation.input.safeParse(given);
      if (!input.success) throw new Failure('validation', { text: explained(input.error) });
      const output = await operation({ caller: operator, services }, input.data);
      return { lines: print(output, input.data), goesOn: goesOn(output) };
    },
  };
}

/** Texts have bounds that only the operation knows; anything else that it refuses was sent by another version. */
function explained({ issues }: z.ZodError): string {
  for (const issue of issues) {
    const what = issue.path.join('.');
    if (issue.code === 'too_small' && issue.origin === 'string') return `The ${what} must not be empty.`;
    if (issue.code === 'too_big' && issue.origin === 'string')
      return `The ${what} must have at most ${issue.maximum} characters.`;
  }
  return notUnderstood;
}

/** Of commands that change nothing but files and threads. */
export const ofTheMachine = { nothing: 'it concerns the machine, and decides about nobody' } as const;

/** A command about threads, which the main thread answers. */
export function threadCommand({ flags = {}, ...words }: CommandWords<unknown>): Command {
  return { ...words, flags, audit: ofTheMachine };
}
