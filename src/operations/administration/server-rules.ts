/** Changes the rules of the server. */
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { Failure } from '../../runtime/errors.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { settingsOf } from '../instance/settings.ts';
import { isLanguage } from '../languages.ts';
import { operation } from '../operation.ts';

const ruleText = z.string().trim().max(instanceLimits.ruleCharactersMax);

export const addRule = operation({
  input: z.object({ text: ruleText.min(1), hint: ruleText }),
  permission: 'manageRules',
  audit: 'addRule',
  run: ({ caller, services, audit }, rule) =>
    services.client.call(Instance.addRule.to(instanceKey, { ...rule, audit }), flowOf(caller)),
});

/** With a language: its translation; an empty text removes it. */
export const changeRule = operation({
  input: z.object({
    id: z.string(),
    language: z.string().optional(),
    text: ruleText.optional(),
    hint: ruleText.optional(),
  }),
  permission: 'manageRules',
  audit: 'changeRule',
  run({ caller, services, audit }, change) {
    const { language, text } = change;
    if (language !== undefined && !isLanguage(language))
      throw new Failure('validation', { text: `${language} is not the code of a language, such as de or pt-BR.` });
    if (language === undefined && text === '') throw new Failure('validation', { text: 'A rule cannot be empty.' });
    return services.client.call(Instance.changeRule.to(instanceKey, { ...change, audit }), flowOf(caller));
  },
});

export const removeRule = operation({
  input: z.object({ id: z.string() }),
  permission: 'manageRules',
  audit: 'removeRule',
  run: ({ caller, services, audit }, { id }) =>
    services.client.call(Instance.removeRule.to(instanceKey, { id, audit }), flowOf(caller)),
});

export const listRules = operation({
  input: z.object({}),
  permission: 'manageRules',
  audit: reads,
  run: ({ services }) => settingsOf(services).rules,
});
