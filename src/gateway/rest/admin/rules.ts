/** The endpoints of the rules of the server, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import { addRule, changeRule, listRules, removeRule } from '../../../operations/administration/server-rules.ts';
import { Failure } from '../../../runtime/errors.ts';
import { rulesEntity } from '../../entities/instance.ts';
import { RuleEntity } from '../../entities/instance-schema.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { required, textUpTo } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';
import { typedText } from './typed-text.ts';

const path = '/api/murmuration/v1/admin/rules';
const ruleId = z.string();
const ofOne = { path: `${path}/:id`, parameters: z.object({ id: ruleId }) };
const writing = { scopes: ['admin:write'] };
const ruleText = textUpTo(instanceLimits.ruleCharactersMax);

/** Throws Failure notFound. */
function ruleOf(context: UserContext<GatewayServices>, id: string) {
  const found = rulesEntity(listRules(context, {})).find((rule) => rule.id === id);
  if (found === undefined) throw new Failure('notFound');
  return json(found);
}

const getRules = staffEndpoint(listRules, {
  scopes: ['admin:read'],
  method: 'GET',
  path,
  summary: 'Lists the rules of this server with their translations.',
  answer: z.array(RuleEntity),
  handler: (context) => json(rulesEntity(listRules(context, {}))),
});

const postRule = staffEndpoint(addRule, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object({ text: required(ruleText), hint: ruleText }),
  summary: 'Adds a rule at the end of the list.',
  answer: RuleEntity,
  async handler(context, { text, hint = '' }) {
    const { id } = await addRule(context, { text: typedText(addRule.input.shape.text, text), hint: hint.trim() });
    return ruleOf(context, id);
  },
});

const putRule = staffEndpoint(changeRule, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: ofOne.path,
  parameters: z.object({ id: ruleId, text: ruleText, hint: ruleText, language: textUpTo(20) }),
  summary: 'Changes a rule, or with a language its translation, which an empty text removes; what is not given stays.',
  answer: RuleEntity,
  async handler(context, { id, text, hint, language }) {
    await changeRule(context, { id, text: text?.trim(), hint: hint?.trim(), ...(language && { language }) });
    return ruleOf(context, id);
  },
});

const deleteRule = staffEndpoint(removeRule, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Removes a rule; reports that name it stay.',
  answer: EmptyEntity,
  async handler(context, { id }) {
    await removeRule(context, { id });
    return empty();
  },
});

export const adminRuleEndpoints = [getRules, postRule, putRule, deleteRule];
