/** What the process was started with, as src/main.ts finds it. */
export interface MainInput {
  readonly programArguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configurationFolder: string;
  readonly entry: URL;
  readonly cores: number;
}
