/**
 * Runs commands of the operator over the admin socket of a running server, as `murmuration` does, without starting a
 * process.
 */
import { join } from 'node:path';
import { openAdminClient } from '../../src/gateway/operator/admin/client.ts';
import { runCommand } from '../../src/gateway/operator/cli/main.ts';

const never = () => Promise.reject(new Error('a running server checks no folder'));

/** What the command prints; undefined when no server runs on this data folder. Throws an Error when it fails. */
export async function askAdmin(
  dataDirectory: string,
  commandArguments: readonly string[],
): Promise<string | undefined> {
  const admin = await openAdminClient(join(dataDirectory, 'admin.sock'));
  if (admin === undefined) return undefined;
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await runCommand(commandArguments, {
    openAdmin: () => Promise.resolve(admin),
    check: never,
    repartition: never,
    print: (line) => void printed.push(`${line}\n`),
    complain: (line) => void complaints.push(line),
  });
  if (code !== 0) throw new Error(`${commandArguments.join(' ')} ended with code ${code}: ${complaints.join('\n')}`);
  return printed.join('');
}
