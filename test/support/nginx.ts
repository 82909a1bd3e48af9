/** Runs nginx in front of a server, with the configuration from the README or another. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const places = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'];
const program = places.find((path) => existsSync(path));
export const hasNginx = program !== undefined;

export interface Nginx {
  readonly origin: string;
  stop(): Promise<void>;
}

/** `server` is the port of the server behind it; `block` another configuration than that of the README. */
export async function startNginx(
  server: number,
  { port: wanted, block = blockOfReadme() }: { readonly port?: number; readonly block?: string } = {},
): Promise<Nginx> {
  const port = wanted ?? (await freePort());
  const inner = block.replace('http://127.0.0.1:3000', `http://127.0.0.1:${server}`);
  return startNginxWith(`server {\n  listen 127.0.0.1:${port};\n${inner}\n}`, `http://127.0.0.1:${port}`);
}

/** With what stands in the block `http`; `origin` is one that it serves. */
export async function startNginxWith(sites: string, origin: string): Promise<Nginx> {
  if (program === undefined) throw new Error('there is no nginx here');
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-nginx-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, sites));
  const child = spawn(program, ['-e', 'stderr', '-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let problems = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    problems += chunk.toString();
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  await until(() => isListening(origin, child), { description: 'nginx to listen' }).catch((error: unknown) => {
    throw new Error(`nginx does not listen: ${problems}`, { cause: error });
  });
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isListening(origin: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`nginx ended with code ${child.exitCode}`);
  return fetch(`${origin}/health`, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );
}

/** One process in the foreground, whose temporary files are in the folder. */
function configuration(folder: string, sites: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${sites}
}
`;
}

function blockOfReadme(): string {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const block = /```nginx\n([\s\S]*?)```/.exec(readme)?.[1];
  if (block === undefined) throw new Error('the README has no block for nginx');
  return block;
}
