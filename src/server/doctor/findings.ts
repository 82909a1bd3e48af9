/** What the doctor finds: that something is in order, or a row of problems.ts with the values that its sentence names. */
import { type Grade, type ProblemName, problems } from './problems.ts';

export interface Finding {
  readonly grade: Grade | 'good' | 'skipped';
  readonly said: string;
  /** Of a problem. */
  readonly problem?: ProblemName;
  readonly means?: string;
  readonly todo?: string;
}

/** With the name of the check that it comes from. */
export type CheckedFinding = Finding & { readonly check: string };

export function good(said: string): Finding {
  return { grade: 'good', said };
}

export function skipped(said: string): Finding {
  return { grade: 'skipped', said };
}

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The values that the sentence of a problem names. */
export type ValuesOf<Name extends ProblemName> = Readonly<
  Record<Placeholders<(typeof problems)[Name]['says']>, string | number>
>;

export function problem<Name extends ProblemName>(name: Name, values: ValuesOf<Name>): Finding {
  const { grade, says, means, todo } = problems[name];
  const given: Readonly<Record<string, string | number>> = values;
  const said = says.replace(/\{(\w+)\}/g, (_all, key: string) => oneLine(String(given[key])));
  return { grade, said, problem: name, means, todo };
}

const charactersMax = 600;

/** Other machines say some of it. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax)}…`;
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses that were tried, each has its own reason.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error.message || error.name;
}
