/**
 * Effects: I/O that a turn asks for. An effect runs after the commit of the turn, on a thread that owns no partition,
 * and answers with a message to the actor that asked. It is remembered until the answer: a crash repeats the I/O, never
 * the answer.
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

/** A runner by its number. It validates each request: an earlier version may have left it on disk. */
export function runnerOf<Request, Answer>(
  { number, request: schema }: EffectType<Request, Answer>,
  run: EffectRunner<Request, Answer>,
): readonly [number, EffectRunner<unknown, unknown>] {
  return [number, async (request) => await run(schema.parse(request))];
}

/**
 * Runs one effect. It must settle within its own deadline and turns every failure into an answer. One that does not settle
 * within `effectSilenceMilliseconds` is taken to have failed.
 */
export type EffectRunner<Request, Answer> = (request: Request) => Promise<Answer>;
