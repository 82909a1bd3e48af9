/** The filter parameters shared by all lists and counts of notifications. */

import type { NotificationChoice } from '../../../actors/account/notifications/notifications.queries.ts';
import { NotificationType } from '../../../actors/account/notifications/notifications.records.ts';
import { type GroupedType, groupedTypes } from '../../../actors/policy/notification-groups.ts';
import type { Id } from '../../../runtime/ids.ts';
import { boolean, chosenId, textList, wordList } from '../../http/parameter-types.ts';

export const choiceParameters = {
  types: wordList,
  exclude_types: wordList,
  account_id: chosenId,
  include_filtered: boolean,
};

/** The types that a client knows: others are described to it in words. */
export const supportedTypes = textList.transform((names) => names && new Set(names));

interface GivenChoice {
  types?: readonly string[] | undefined;
  exclude_types?: readonly string[] | undefined;
  account_id?: Id | undefined;
  include_filtered?: boolean | undefined;
}

export function choiceOf(given: GivenChoice): NotificationChoice {
  return {
    types: typesOf(given.types),
    excludeTypes: typesOf(given.exclude_types),
    fromId: given.account_id,
    includeFiltered: given.include_filtered,
  };
}

/** Unknown types are accepted; no notification has one. */
function typesOf(names: readonly string[] | undefined): ReadonlySet<NotificationType> | undefined {
  if (names === undefined) return undefined;
  return new Set(NotificationType.options.filter((type) => names.includes(type)));
}

/** All types that can be grouped, unless fewer are given. */
export function groupedOf(names: readonly string[] | undefined): ReadonlySet<GroupedType> {
  return new Set(groupedTypes.filter((type) => names === undefined || names.includes(type)));
}
