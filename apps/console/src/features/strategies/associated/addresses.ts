/** Addresses of associated rules: those about staff and those about visitors have pages of their own. */
import { path } from '../../../paths.ts'

type Kind = { kind: string }
const isVisitor = ({ kind }: Kind): boolean => kind === 'visitor'

export const detailOf = (rule: Kind & { id: string }): string =>
  isVisitor(rule)
    ? path('associatedRuleVisitorDetail', { id: rule.id })
    : `${path('associatedRuleDetail')}?id=${encodeURIComponent(rule.id)}`

/** Without an id: a rule not yet made. */
export const formOf = ({ id, ...rule }: Kind & { id?: string }): string =>
  path(isVisitor(rule) ? 'addAssociatedRuleVisitorDetail' : 'addAssociatedRuleDetail') +
  (id === undefined ? '' : `?id=${encodeURIComponent(id)}`)
