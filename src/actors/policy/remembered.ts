/** A viewer that asks each question once: a page shows the same few authors again and again. */
import type { Viewer } from './visibility.ts';

/** For one request only; what it has answered stays as it was. */
export function remembered(viewer: Viewer): Viewer {
  if (viewer.accountId === undefined) return viewer;
  return {
    accountId: viewer.accountId,
    follows: once((accountId) => viewer.follows(accountId)),
    blocks: once((accountId) => viewer.blocks(accountId)),
    mutes: once((accountId) => viewer.mutes(accountId)),
  };
}

function once(ask: (accountId: bigint) => boolean): (accountId: bigint) => boolean {
  const answers = new Map<bigint, boolean>();
  return (accountId) => {
    let answer = answers.get(accountId);
    if (answer === undefined) {
      answer = ask(accountId);
      answers.set(accountId, answer);
    }
    return answer;
  };
}
