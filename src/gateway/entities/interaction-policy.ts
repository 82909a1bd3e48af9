/** Who may interact with a status, in the form of GoToSocial's API, whose clients read it. */
import { z } from 'zod';
import type { Approval, Approver } from '../../actors/account/account.records.ts';

const values = ['public', 'followers', 'following', 'mentioned', 'author'] as const;
type Value = (typeof values)[number];
const list = z.array(z.enum(values));
const rules = z.strictObject({ automatic_approval: list, manual_approval: list });

export const InteractionPolicyEntity = z
  .strictObject({ can_favourite: rules, can_reply: rules, can_reblog: rules })
  .meta({ id: 'InteractionPolicy' });

const byEverybody = { automatic_approval: ['public' as const], manual_approval: [] };

/** Of a status that not everybody may reply to; whom it mentions may, and its author. */
export function interactionPolicyEntity({ automatic, manual }: Approval): z.output<typeof InteractionPolicyEntity> {
  return {
    can_favourite: byEverybody,
    can_reply: {
      automatic_approval: ['author', 'mentioned', ...automatic.flatMap(valuesOf)],
      manual_approval: manual.flatMap(valuesOf),
    },
    can_reblog: byEverybody,
  };
}

function valuesOf(approver: Approver): Value[] {
  return approver === 'unsupported_policy' ? [] : [approver];
}
