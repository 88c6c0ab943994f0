/** Why a door did not open, in words. */
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { isLowSimilarity } from '@gatehouse/contract/records/refusal'
import { failReason } from '@gatehouse/contract/enums/access'
import { useEnumLabel } from '../kit/detail/EnumTag.tsx'
import { isHit } from './watchList.ts'

/**
 * @returns the words of a record's reason; empty where it has none, and where a person of the watch list was found: devices do not
 * hold the list, and report an unregistered person. An unknown code is shown as it is.
 */
export function useRefusalReason(): (record: AccessRecord) => string {
  const { t } = useTranslation()
  const label = useEnumLabel()
  return (record) => {
    if (record.failReason === null || (isHit(record) && record.failReason === failReason.notRegistered)) return ''
    return isLowSimilarity(record) ? t('pair.tooLow') : label(failReason, record.failReason)
  }
}

/** Return a function that gives the reason in a single line: the text of the device, where there is one, in place of the reason. */
export function useRefusalLine(): (record: AccessRecord) => string {
  const reasonOf = useRefusalReason()
  return (record) => {
    const reason = reasonOf(record)
    return reason && (record.failText || reason)
  }
}
