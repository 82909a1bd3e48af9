/** Runs around every test file that shares its process: a file that leaves something behind fails. */
// They define globals when they are loaded first.
import 'lmdb';
import 'zod';
import '@simplewebauthn/server';
// A setting of native code, which reads it when the first file of the process loads it, perhaps in a worker.
import '../../src/gateway/http/native-settings.ts';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { isAtRest, type ProcessState, processState } from './process-state.ts';
import { until } from './until.ts';

let before: ProcessState;

beforeAll(() => {
  before = processState();
});

afterAll(async () => {
  vi.restoreAllMocks();
  const rest = { description: 'servers and processes of this file to end' };
  await until(() => isAtRest(before, processState()), rest);
  const { resources } = processState();
  expect(processState(), 'what this file leaves behind').toEqual({ ...before, resources });
});
