/** A record in words. */
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { accessResult } from '@gatehouse/contract/enums/access'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { usePersonName } from '../../shared/personName.ts'
import { useRefusalReason } from '../../shared/refusalReason.ts'
import { useContactWords, type ContactWords } from '../../shared/contactWords.ts'
import { isStranger } from '../../shared/stranger.ts'

export interface RecordWords extends ContactWords {
  /** The name; from the watch list where the terminal recognised no one; else that the person is a stranger or has no known name. */
  who: string
  verdict: string
  /**
   * Why it was refused, or that it was another person; empty when allowed, or where the watch list explains it. An unknown
   * code is shown as it is.
   */
  reason: string
}

export function useRecordWords(): (record: AccessRecord) => RecordWords {
  const { t } = useTranslation('records')
  const label = useEnumLabel()
  const contactWordsOf = useContactWords()
  const reasonOf = useRefusalReason()
  const nameOf = usePersonName()
  return (record) => {
    // The fail reason itself says that the area is full.
    const restriction = record.restriction && record.restriction !== 'full' && t(`restriction.${record.restriction}`)
    return {
      ...contactWordsOf(record),
      who:
        nameOf(record.personId, record.personName) || record.watchList?.personName || (isStranger(record) ? t('stranger') : t('unnamed')),
      verdict: label(accessResult, record.result),
      reason: [record.corrected && t('clinic:corrected'), reasonOf(record), restriction, record.failText]
        .filter(Boolean)
        .join(t('common:listSeparator')),
    }
  }
}
