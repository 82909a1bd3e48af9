/**
 * From `npm start` to the first answered request, with an empty data folder each time. A copy of the project starts first
 * without its build, as after `npm ci`, and then some more times with it; the limit is `npm start` of a server that does
 * nothing.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpRequest } from '../generators/http-load.ts';
import { median } from '../measure/statistics.ts';
import { millisecondsToFirstAnswer } from '../processes/npm-start.ts';
import { freePort, projectFolder } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';

const name = 'start';
const millisecondsAtMost = 1_000;
const startsWithBuild = 3;
const host = '127.0.0.1';
/** What a start needs; the build is not among it. */
const copied = ['package.json', 'config', 'src'];

const bareServer = `import { createServer } from 'node:http';
createServer((_request, response) => response.end('{}')).listen(process.env.MURMURATION_PORT, '${host}');
`;

export const startScenario: Scenario = {
  name,
  summary: 'npm start to the first answered request, with an empty data folder',
  async run({ size, samples }) {
    const first: number[] = [];
    const later: number[] = [];
    const bare: number[] = [];
    for (let copy = 0; copy < size.starts; copy += 1) {
      const folder = mkdtempSync(join(tmpdir(), 'murmuration-bench-start-'));
      try {
        first.push(await start(copyProject(folder)));
        for (let count = 0; count < startsWithBuild; count += 1) later.push(await start(join(folder, 'project')));
        bare.push(await start(writeBare(folder)));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    samples.write({ scenario: name, kind: 'starts', first, later, bare });
    return figuresOf(first, later, bare);
  },
};

/** The packages are those of this project. */
function copyProject(folder: string): string {
  const project = join(folder, 'project');
  mkdirSync(project);
  for (const part of copied) cpSync(join(projectFolder, part), join(project, part), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules'), join(project, 'node_modules'));
  return project;
}

function writeBare(folder: string): string {
  const bare = join(folder, 'bare');
  mkdirSync(bare);
  writeFileSync(join(bare, 'package.json'), JSON.stringify({ scripts: { start: 'node bare.mjs' } }));
  writeFileSync(join(bare, 'bare.mjs'), bareServer);
  return bare;
}

async function start(folder: string): Promise<number> {
  const port = await freePort(host);
  const dataDirectory = mkdtempSync(join(folder, 'data-'));
  return millisecondsToFirstAnswer({
    folder,
    host,
    port,
    request: httpRequest('GET', host, '/health'),
    environment: {
      MURMURATION_HOST: host,
      MURMURATION_PORT: String(port),
      MURMURATION_DATA_DIR: dataDirectory,
      MURMURATION_LOG_LEVEL: 'warn',
    },
  });
}

function figuresOf(first: readonly number[], later: readonly number[], bare: readonly number[]): Figure[] {
  return [
    {
      what: 'npm start to the first answered request, empty data folder, built before',
      measured: median(later),
      unit: 'ms',
      lowest: Math.min(...later),
      highest: Math.max(...later),
      target: { atMost: millisecondsAtMost },
      beside: `median of ${later.length}; npm start of a server that does nothing ${median(bare).toFixed(0)} ms; elsewhere, without npm, GoToSocial 140, Hollo 1 500`,
    },
    {
      what: 'the same, the first after npm ci, which builds',
      measured: median(first),
      unit: 'ms',
      lowest: Math.min(...first),
      highest: Math.max(...first),
      beside: `median of ${first.length}`,
    },
  ];
}
