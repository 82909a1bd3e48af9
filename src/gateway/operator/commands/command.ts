/**
 * A command of the operator, declared once: its words, the help, the operation it calls and what it prints. The command
 * line parses words into input, which is sent over the admin socket as JSON; a gateway thread runs the operation.
 */
import type { z } from 'zod';
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
  };
  print(output: Awaited<Output>, input: z.output<Input>): readonly string[];
  /** Of work that takes longer than an answer may. */
  goesOn?(output: Awaited<Output>): boolean;
}

export const notUnderstood = 'This server does not know that command. Is it another version?';

export function command<Input extends z.ZodType, Output>(declaration: CommandDeclaration<Input, Output>): Command {
  const { operation, print, goesOn = () => false, flags = {}, ...words } = declaration;
  return {
    ...words,
    flags,
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

/** A command about threads, which the main thread answers. */
export function threadCommand({ flags = {}, ...words }: CommandWords<unknown>): Command {
  return { ...words, flags };
}
