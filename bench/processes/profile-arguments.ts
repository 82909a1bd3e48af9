/** Arguments of Node that make a child of one thread write a CPU profile of its whole life. */

export function nodeArgumentsForProfile(folder: string | undefined): string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200'];
}
