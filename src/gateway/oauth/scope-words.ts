/** Scopes in words, for the user who is asked for consent. */
import type { Words } from '../../services/words/languages.ts';

export function describeScope({ signing }: Words, scope: string): string {
  const { scopes, readScopes, writeScopes } = signing;
  if (scope === 'admin:read') return scopes.adminRead;
  if (scope === 'admin:write') return scopes.adminWrite;
  if (isKey(wholeScopes, scope)) return scopes[scope];
  const colon = scope.lastIndexOf(':');
  const topic = scope.slice(colon + 1);
  const isWriting = scope.slice(0, colon).endsWith('write');
  if (scope.startsWith('admin:')) {
    const words = { topic: topic.replaceAll('_', ' ') };
    return isWriting ? scopes.adminWriteOf(words) : scopes.adminReadOf(words);
  }
  const known = isWriting ? writeScopes : readScopes;
  if (isKey(known, topic)) return known[topic];
  return isWriting ? scopes.writeOf({ topic }) : scopes.readOf({ topic });
}

const wholeScopes = { profile: true, read: true, write: true, follow: true, push: true } as const;

function isKey<Known extends object>(known: Known, key: PropertyKey): key is keyof Known {
  return Object.hasOwn(known, key);
}
