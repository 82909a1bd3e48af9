/**
 * Operations: what a caller may do, the same through every interface. An operation takes typed input, returns views or
 * ids, and throws Failures; it knows nothing of requests, cookies, JSON or the spelling of an API, and runs wherever
 * Services exist: on gateway threads, and on network threads for timers and imports.
 *
 * An endpoint has validated its parameters and passes them typed. Callers with input from elsewhere (a timer, an
 * import, the command line) validate it with `input`.
 */
import type { z } from 'zod';
import type { AuditAction } from '../actors/audit.records.ts';
import type { Services } from '../services/services.ts';
import { type AuditDeclaration, type Audited, auditOf, toldOfDecision } from './audit.ts';
import type { Caller } from './caller.ts';
import { type CallerWith, demandPermission, type PermissionName, type StaffPermission } from './permissions.ts';
import { type OperationRateLimit, operationRateLimits, type SubjectRateLimit } from './rate-limits.ts';

export interface OperationContext<Who extends Caller = Caller> {
  readonly caller: Who;
  readonly services: Services;
}

/** What is about whom: found before the operation runs, or refused. Throws Failure. */
export type SubjectOf<Who extends Caller, Input, Subject> = (context: OperationContext<Who>, input: Input) => Subject;

/** An operation with an action for the audit log gets what its messages carry. */
type ContextFor<Permission extends PermissionName, Audit> = OperationContext<CallerWith<Permission>> &
  (Audit extends AuditAction ? Audited : unknown);

interface OperationDeclaration<
  Input extends z.ZodType,
  Permission extends PermissionName,
  Output,
  Audit extends AuditDeclaration | undefined,
  Subject,
> {
  readonly input: Input;
  readonly permission: Permission;
  readonly limit?: Exclude<OperationRateLimit, SubjectRateLimit>;
  /** For a limit on successes: whether this one counts; all do when absent. */
  counts?(output: Awaited<Output>): boolean;
  /** Every operation of staff says what is written about it. */
  readonly audit?: Audit;
  /** Whose object it is (subjects.ts): what the caller may not act on is refused here. `run` gets it last. */
  readonly on?: SubjectOf<CallerWith<Permission>, z.output<Input>, Subject>;
  /** Throws Failure. */
  run(context: ContextFor<Permission, Audit>, input: z.output<Input>, subject: Subject): Output;
}

/** Makes forgetting `audit` an error of the compiler. */
type AuditOfStaff<Permission extends PermissionName> = Permission extends StaffPermission
  ? { readonly audit: AuditDeclaration }
  : { readonly audit?: never };

export interface Operation<Input extends z.ZodType, Permission extends PermissionName, Output> {
  /** Throws Failure forbidden, tooManyRequests, and what `on` and `run` throw. */
  (context: OperationContext<CallerWith<Permission>>, input: z.output<Input>): Output;
  readonly input: Input;
  readonly permission: Permission;
  readonly limit: OperationRateLimit | undefined;
  readonly audit: AuditDeclaration | undefined;
}

export function operation<
  Input extends z.ZodType,
  Permission extends PermissionName,
  Output,
  Audit extends AuditDeclaration | undefined = undefined,
  Subject = undefined,
>(
  declaration: OperationDeclaration<Input, Permission, Output, Audit, Subject> & AuditOfStaff<Permission>,
): Operation<Input, Permission, Output> {
  const { input, permission, limit, counts, audit, on, run } = declaration;
  const perform = (context: OperationContext<CallerWith<Permission>>, given: z.output<Input>): Output => {
    const { caller, services } = context;
    demandPermission(permission, caller, services);
    const performed = () =>
      answeredFresh(context, (own) => {
        // Without `on` the type of the subject is undefined, and without an action nobody reads `audit`.
        const subject = on?.(own, given) as Subject;
        // Not spread: the caller of a request is a getter of its class.
        const audited =
          audit === undefined ? own : { caller: own.caller, services: own.services, audit: auditOf(audit, own) };
        const output = run(audited as ContextFor<Permission, Audit>, given, subject);
        if (typeof audit !== 'string' || !(output instanceof Promise)) return output;
        return output.catch((error: unknown) => {
          throw toldOfDecision(services, error);
        }) as Output;
      });
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
  return Object.assign(perform, { input, permission, limit, audit });
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
