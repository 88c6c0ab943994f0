/** Which types may stand below an organisation, as the server has it. */
import { organisationType } from '@gatehouse/contract/enums/organisation'

export function typesBelow({ type, isTop }: { type: number; isTop: boolean }): (100 | 200 | 300)[] {
  if (type === organisationType.park) return []
  if (type === organisationType.company) return [organisationType.park, organisationType.company]
  return isTop ? [organisationType.company, organisationType.partner] : [organisationType.company]
}
