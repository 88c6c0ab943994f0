/** What a record says in words. */
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/access/calls'
import { accessResult, failReason } from '@gatehouse/contract/enums/access'
import { useEnumLabel } from '../../../kit/EnumTag.tsx'
import { isStranger } from './recordFeed.ts'

export interface RecordWords {
  /** Name, or that nobody knows them. */
  who: string
  verdict: string
  /** Why it was refused, or that it was somebody else; empty when allowed. An unknown code shows itself. */
  reason: string
}

export function useRecordWords(): (record: AccessRecord) => RecordWords {
  const { t } = useTranslation('access')
  const label = useEnumLabel()
  return (record) => {
    const known = record.failReason === null ? '' : label(failReason, record.failReason)
    return {
      who: record.personName || (isStranger(record) ? t('stranger') : t('unnamed')),
      verdict: label(accessResult, record.result),
      reason: [record.corrected && t('clinic.corrected'), known, record.failText].filter(Boolean).join(t('common:listSeparator')),
    }
  }
}

/** -1 is a warning mark, -2 and none are blank; else one decimal. */
export const temperatureText = (value: number | null): string => (value === null || value === -2 ? '' : value === -1 ? '⚠' : `${value.toFixed(1)}°`)
