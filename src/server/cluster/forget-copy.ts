/** `murmuration cluster repair --forget NAME`: the noted copy of a machine that is gone holds up no repair. */
import type { Options } from '../../options/table.ts';
import { withServers } from './attend.ts';
import { addressOf, onItsOwn } from './cluster-logs.ts';
import { Register } from './register.ts';

/** Returns lines for the operator; rejects with an Error whose message is a sentence. */
export async function forgetCopy(options: Options, forgotten: string): Promise<string[]> {
  const address = addressOf(options);
  if (address === undefined) throw new Error(onItsOwn);
  return await withServers(address, async (client) => {
    const register = await Register.find(client);
    const noted = (await register?.notedCopies()) ?? [];
    const found = noted.filter(({ name }) => name === forgotten);
    if (register === undefined || found.length === 0) {
      const known = noted.map(({ name }) => name).join(', ');
      throw new Error(`No copy of ${forgotten} is noted. ${known === '' ? 'None is.' : `Noted are: ${known}.`}`);
    }
    for (const copy of found) await register.forgetCopy(copy);
    const what =
      found.length === 1
        ? `The note about the copy of ${forgotten} is`
        : `${found.length} notes about copies of ${forgotten} are`;
    return [`${what} removed. Its data folder, where it is still there, was not touched.`];
  });
}
