/** Whether the arguments of the program are a command. Apart from the commands, which a server that starts need not load. */

const helpWords: ReadonlySet<string | undefined> = new Set(['help', '--help', '-h']);
export const versionWord = '--version';

/** Options of a server that is to be started begin with a hyphen. */
export function isCommand(programArguments: readonly string[]): boolean {
  const [first] = programArguments;
  if (first === undefined) return false;
  return asksForHelp(programArguments) || first === versionWord || !first.startsWith('-');
}

export function asksForHelp(programArguments: readonly string[]): boolean {
  return helpWords.has(programArguments[0]) || programArguments.includes('--help');
}
