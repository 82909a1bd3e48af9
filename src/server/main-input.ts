/** How the process was started: arguments, environment, the configuration folder, and the cores of the machine. */
export interface MainInput {
  readonly programArguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configurationFolder: string;
  readonly entry: URL;
  readonly cores: number;
  /** Of the machine, or of the part that the process may use. */
  readonly memoryBytes: number;
}
