/** Whether the program's arguments are a command. Separate from the commands, which a starting server need not load. */

const helpWords: ReadonlySet<string | undefined> = new Set(['help', '--help', '-h']);
export const versionWord = '--version';
/** The command that also speaks where the configuration is refused. */
export const doctorWord = 'doctor';

/** Options of a server to be started begin with a hyphen. */
export function isCommand(programArguments: readonly string[]): boolean {
  const [first] = programArguments;
  if (first === undefined) return false;
  return asksForHelp(programArguments) || first === versionWord || !first.startsWith('-');
}

export function asksForHelp(programArguments: readonly string[]): boolean {
  return helpWords.has(programArguments[0]) || programArguments.includes('--help');
}
