/**
 * Effects: I/O that a turn asks for. An effect runs after the commit of the turn, on a thread that owns no partition,
 * and its answer is a message to the actor that asked. It stays stored until that message has run: a crash may repeat
 * the I/O, never the answer.
 */
import type { z } from 'zod';

export interface EffectType<Request, Answer> {
  readonly number: number;
  readonly name: string;
  readonly request: z.ZodType<Request>;
  readonly answerType?: Answer;
}

export function effectType<Request, Answer>(
  number: number,
  name: string,
  request: z.ZodType<Request>,
): EffectType<Request, Answer> {
  return { number, name, request };
}

/** A runner, by its number. It validates each request, which an earlier version may have stored. */
export function runnerOf<Request, Answer>(
  { number, name, request: schema }: EffectType<Request, Answer>,
  run: EffectRunner<Request, Answer>,
): readonly [number, EffectRunner<unknown, unknown>] {
  const validating = async (request: unknown, cause?: string) => await run(schema.parse(request), cause);
  return [number, Object.assign(validating, { effect: name })];
}

/**
 * Runs one effect. It settles within its own deadline, and every expected failure is an answer. One that has not
 * settled within `effectSilenceMilliseconds` counts as failed. `cause` is the traced request that it was asked for in:
 * what the runner sends to actors carries it on.
 */
export interface EffectRunner<Request, Answer> {
  (request: Request, cause?: string): Promise<Answer>;
  /** The name of what it runs, where it is declared. */
  readonly effect?: string;
}
