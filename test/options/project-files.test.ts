import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFile, taskModule } from '../../src/options/project-files.ts';

test('files are found from the folder of the manifest', () => {
  expect(JSON.parse(readFileSync(projectFile('package.json'), 'utf8'))).toMatchObject({ name: 'murmuration' });
});

test('run from its sources, a task is a source', () => {
  const task = taskModule('outbound/remote-html/sanitize.task');
  expect(task.href).toMatch(/\/src\/outbound\/remote-html\/sanitize\.task\.ts$/);
  expect(existsSync(task)).toBe(true);
});
