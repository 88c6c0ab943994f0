/** The contact who came in place of a person, in words. */
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { contactRelation } from '@gatehouse/contract/enums/people'
import { useEnumLabel } from '../kit/detail/EnumTag.tsx'

export interface ContactWords {
  /** `Wang Fang (Mother)`; empty where the person came themselves. */
  contact: string
  /** `by contact Wang Fang (Mother)`; empty where the person came themselves. */
  by: string
}

export function useContactWords(): (record: Pick<AccessRecord, 'contactId' | 'contactName' | 'contactRelation'>) => ContactWords {
  const { t } = useTranslation('common')
  const label = useEnumLabel()
  return ({ contactId, contactName = '', contactRelation: relation }) => {
    if (contactId === undefined) return { contact: '', by: '' }
    const contact =
      relation === undefined ? contactName : t('standIn.related', { name: contactName, relation: label(contactRelation, relation) })
    return { contact, by: t('standIn.by', { contact }) }
  }
}
