/**
 * Operations: what a caller may do, the same through every interface. An operation takes typed input, returns views or
 * ids, and throws Failures; it knows nothing of requests, cookies, JSON or the spelling of an API, and runs wherever
 * Services exist: on gateway threads, and on network threads for timers and imports.
 *
 * An endpoint has validated its parameters and passes them typed. Callers with input from elsewhere (a timer, an
 * import, the command line) validate it with `input`.
 */
import type { z } from 'zod';
import type { Services } from '../services/services.ts';
import type { Caller } from './caller.ts';
import { type CallerWith, demandPermission, type PermissionName } from './permissions.ts';
import { type OperationRateLimit, operationRateLimits } from './rate-limits.ts';

export interface OperationContext<Who extends Caller = Caller> {
  readonly caller: Who;
  readonly services: Services;
}

interface OperationDeclaration<Input extends z.ZodType, Permission extends PermissionName, Output> {
  readonly input: Input;
  readonly permission: Permission;
  readonly limit?: OperationRateLimit;
  /** For a limit on successes: whether this one counts; all do when absent. */
  counts?(output: Awaited<Output>): boolean;
  /** Throws Failure. */
  run(context: OperationContext<CallerWith<Permission>>, input: z.output<Input>): Output;
}

export interface Operation<Input extends z.ZodType, Permission extends PermissionName, Output> {
  /** Throws Failure forbidden, tooManyRequests, and what `run` throws. */
  (context: OperationContext<CallerWith<Permission>>, input: z.output<Input>): Output;
  readonly input: Input;
  readonly permission: Permission;
  readonly limit: OperationRateLimit | undefined;
}

export function operation<Input extends z.ZodType, Permission extends PermissionName, Output>(
  declaration: OperationDeclaration<Input, Permission, Output>,
): Operation<Input, Permission, Output> {
  const { input, permission, limit, counts, run } = declaration;
  const perform = (context: OperationContext<CallerWith<Permission>>, given: z.output<Input>): Output => {
    const { caller, services } = context;
    demandPermission(permission, caller, services);
    const performed = () => answeredFresh(context, (own) => run(own, given));
    if (limit === undefined) return performed();
    if (operationRateLimits[limit].counts === 'attempts') {
      caller.limits.take(limit);
      return performed();
    }
    caller.limits.check(limit);
    const output = performed();
    const succeeded = (result: Awaited<Output>) => {
      if (counts === undefined || counts(result)) caller.limits.count(limit);
      return result;
    };
    // TypeScript does not know that a promise's result is awaited and any other value is returned unchanged.
    return (output instanceof Promise ? output.then(succeeded) : succeeded(output as Awaited<Output>)) as Output;
  };
  return Object.assign(perform, { input, permission, limit });
}

/**
 * Settles only once every gateway has dropped what the calls of `run` have invalidated, whether it succeeds or not: what
 * is asked next, through any gateway, sees the change. Costs nothing where there is one gateway.
 */
function answeredFresh<Who extends Caller, Output>(
  context: OperationContext<Who>,
  run: (context: OperationContext<Who>) => Output,
): Output {
  const { caller, services } = context;
  const { barrier } = services;
  if (!barrier.hasOthers) return run(context);
  let hasInvalidated = false;
  const invalidated = () => {
    hasInvalidated = true;
  };
  const output = run({ caller: { ...caller, invalidated }, services });
  if (!(output instanceof Promise)) return output;
  const followed = () => (hasInvalidated ? barrier.appliedEverywhere() : undefined);
  return output.finally(followed) as Output;
}
