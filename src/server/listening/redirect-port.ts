/** The port that leads browsers from HTTP to the origin, and shows authorities of certificates that the domain is ours. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlainAnswer, PlainRequest } from '../../gateway/operator/plain-server.ts';

interface RedirectInput {
  readonly origin: string;
  readonly acmeFolder: string | undefined;
}

const challengePattern = /^\/\.well-known\/acme-challenge\/([\w-]{1,128})$/;

export function redirect({ origin, acmeFolder }: RedirectInput): (request: PlainRequest) => Promise<PlainAnswer> {
  return async ({ path, target }) => {
    const token = challengePattern.exec(path)?.[1];
    if (token !== undefined && acmeFolder !== undefined) return challengeAnswer(acmeFolder, token);
    // A target with a scheme and a host of its own leads nowhere else.
    const local = target.startsWith('/') ? target : '/';
    return { status: 301, headers: { Location: `${origin}${local}` } };
  };
}

async function challengeAnswer(folder: string, token: string): Promise<PlainAnswer> {
  try {
    const body = await readFile(join(folder, '.well-known/acme-challenge', token), 'utf8');
    return { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, body };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { status: 404 };
    return { status: 500 };
  }
}
