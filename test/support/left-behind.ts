/** Runs around every test file that shares its process: what a file leaves behind fails it. */
// It makes globals for itself wherever it is loaded first.
import 'zod';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { isAtRest, type ProcessState, processState } from './process-state.ts';
import { until } from './until.ts';

let before: ProcessState;

beforeAll(() => {
  before = processState();
});

afterAll(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  const rest = { description: 'servers and processes of this file to end' };
  await until(() => isAtRest(before, processState()), rest);
  const { resources } = processState();
  expect(processState(), 'what this file leaves behind').toEqual({ ...before, resources });
});
