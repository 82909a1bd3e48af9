/**
 * `npm run test:faults`: plants each fault in a copy of the tree and runs the test that must find it. Ends with a failure
 * where one is not found.
 *
 *   npm run test:faults                  all: some minutes
 *   npm run test:faults -- deadlines     those whose kind, file or name contain one of the words
 */
import { join } from 'node:path';
import { plantedFaults } from './catalogue.ts';
import { CopiedTree } from './copied-tree.ts';
import type { PlantedFault } from './fault.ts';

const root = join(import.meta.dirname, '../../..');
const cellCharactersMax = 90;

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const isChosen = ({ kind, file, name }: PlantedFault): boolean =>
    words.length === 0 || words.some((word) => `${kind} ${file} ${name}`.includes(word));
  const chosen = plantedFaults.filter(isChosen);
  const tree = new CopiedTree(root);
  process.once('SIGINT', () => {
    tree.remove();
    process.exit(130);
  });
  try {
    return await tryAll(tree, chosen);
  } finally {
    tree.remove();
  }
}

async function tryAll(tree: CopiedTree, faults: readonly PlantedFault[]): Promise<number> {
  const sound = await tree.run([...new Set(faults.map(({ foundBy }) => foundBy))]);
  if (!sound.hasPassed) {
    console.error(`Without any fault this fails already: ${sound.failure?.test} ${sound.failure?.complaint}`);
    return 1;
  }
  console.log(row(['fault', 'kind', 'file', 'found by', 'seconds', 'complaint']));
  console.log(row(['---', '---', '---', '---', '---', '---']));
  let missed = 0;
  for (const fault of faults) {
    const { failure, seconds } = await tree.tryFault(fault);
    if (failure === undefined) missed += 1;
    const found = failure === undefined ? `**nothing** (${fault.foundBy})` : `${fault.foundBy}: ${failure.test}`;
    const { name, kind, file } = fault;
    console.log(row([name, kind, file, found, seconds.toFixed(1), failure?.complaint ?? '']));
  }
  console.log(`\n${faults.length - missed} of ${faults.length} faults were found.`);
  return missed === 0 ? 0 : 1;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '/').slice(0, cellCharactersMax)).join(' | ')} |`;
}
