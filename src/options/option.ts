/** How an option is declared. */
import type { z } from 'zod';

/** What a default may be computed from. */
interface KnownOptions {
  readonly port: number;
  readonly tlsCertificate: string | undefined;
}

export interface OptionDeclaration<Name extends string, Value> {
  /** The key in a configuration file and in the loaded options. */
  readonly name: Name;
  readonly environment: `MURMURATION_${string}`;
  /** Its description completes "must be …". */
  readonly schema: z.ZodType<Value>;
  readonly default: Value | ((known: KnownOptions) => Value);
  /** How the help shows a computed default. */
  readonly defaultText?: string;
  readonly unit?: string;
  /** Holds a password: messages do not repeat it. */
  readonly isSecret?: true;
  /** What it decides, for the operator. */
  readonly sentence: string;
}

export function option<const Name extends string, const Value>(
  declaration: OptionDeclaration<Name, Value>,
): OptionDeclaration<Name, Value> {
  return declaration;
}
