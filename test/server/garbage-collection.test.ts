/** What requests hold while they wait is not allocated among the old objects. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('fixtures/waves-of-requests.ts', import.meta.url));
const megabyte = 1024 * 1024;

/** The bytes of a hundred waves that became old objects, some 20 MB in all. */
async function oldBytes(...choice: string[]): Promise<number> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--max-semi-space-size=1',
    '--disable-warning=ExperimentalWarning',
    program,
    ...choice,
  ]);
  expect(stderr).toBe('');
  return Number(stdout);
}

test('waves of requests leave nothing behind, as they would with what V8 chooses', async () => {
  expect(await oldBytes('chosen')).toBeLessThan(megabyte);
  expect(await oldBytes()).toBeGreaterThan(5 * megabyte);
});
