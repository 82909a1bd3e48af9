/** The README begins with the two lines that everybody needs. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test.each(['npm ci && npm start', 'npm ci && npm test'])('the README shows "%s" as a block of its own', (line) => {
  expect(readme).toContain(`\n\`\`\`\n${line}\n\`\`\`\n`);
});
