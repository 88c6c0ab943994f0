/** Names given by the product itself, in the language that is shown. */
import { ADMINISTRATOR_NAME, ALWAYS_RULE_NAME, BUILT_IN_ENGINE_NAME, VISITOR_GROUP_NAME } from '@gatehouse/contract/built-in-names'
import i18next from 'i18next'

/** Return the name of a user, role, time rule, person group or face engine as screens show it. Forms keep the stored one. */
export function shownName(name: string): string {
  if (name === ALWAYS_RULE_NAME) return i18next.t('common:builtIn.always')
  if (name === ADMINISTRATOR_NAME) return i18next.t('common:builtIn.administrator')
  if (name === VISITOR_GROUP_NAME) return i18next.t('common:builtIn.visitors')
  if (name === BUILT_IN_ENGINE_NAME) return i18next.t('common:builtIn.engine')
  return name
}
