/** The configuration: what options refuse, who can read secrets, and whether it fits what is stored. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { allOptions, defaultOrigin } from '../../options/table.ts';
import type { MainInput } from '../main-input.ts';
import type { Examined } from './examined.ts';
import { type Finding, good, problem } from './findings.ts';

const othersBits = 0o077;

/** Options whose values others must not know; a sentence of an option says so. */
const secretOptions = allOptions.filter(({ isSecret, name }) => isSecret === true || /(Key|Secret)$/.test(name));

export function checkConfiguration({ main, options, folder, stored }: Examined): Finding[] {
  const findings = [...readableSecrets(main), ...readableFolder(folder)];
  const known = typeof stored === 'object' ? stored : undefined;
  if (known?.origin !== undefined && known.origin !== options.origin && options.origin !== defaultOrigin(options.port))
    findings.push(problem('originDiffers', { configured: options.origin, stored: known.origin }));
  if (known?.origin === undefined && options.origin === defaultOrigin(options.port))
    findings.push(problem('originIsDefault', { origin: options.origin }));
  if (typeof stored === 'string') findings.push(problem('dataFolderUnusable', { sentence: stored }));
  return findings.length > 0 ? findings : [good('The options are valid, and fit what is stored.')];
}

function readableSecrets({ configurationFolder, environment }: MainInput): Finding[] {
  const { MURMURATION_PROFILE: profile } = environment;
  const files = ['default.json', 'local.json', ...(profile ? [`${profile}.json`] : [])];
  return files.flatMap((name) => {
    const file = join(configurationFolder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || (found.mode & othersBits) === 0) return [];
    const content = readFileSync(file, 'utf8');
    const held = secretOptions.filter(({ name: option }) => content.includes(`"${option}"`));
    if (held.length === 0) return [];
    return [problem('secretReadable', { file, options: held.map(({ name: option }) => option).join(', ') })];
  });
}

function readableFolder(folder: string): Finding[] {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & othersBits) === 0) return [];
  return [problem('folderReadable', { folder })];
}
