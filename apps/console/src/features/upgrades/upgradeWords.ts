/** Upgrades in words, and addresses of their pages. */
import { useTranslation } from 'react-i18next'
import { jobState } from '@gatehouse/contract/enums/common'
import type { UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { path } from '../../paths.ts'

/** Return a function that puts the devices of a task in words: their number, and the numbers by state. */
export function useCountWords(): (devices: number, counts: UpgradeTask['counts']) => string {
  const { t, i18n } = useTranslation('upgrades')
  const label = useEnumLabel()
  return (devices, counts) => {
    const parts = jobState.values.flatMap((state) =>
      (counts[state] ?? 0) > 0 ? [`${label(jobState, state)} ${(counts[state] ?? 0).toLocaleString(i18n.language)}`] : [],
    )
    return [t('deviceCount', { count: devices }), ...parts].join(' · ')
  }
}

const KIBIBYTE = 1_024
const MEBIBYTE = 1_048_576

/**
 * Return a function that puts a number of bytes in words: kilobytes below one megabyte, so that nothing is "0 MB".
 */
export function useSizeWords(): (bytes: number) => string {
  const { i18n } = useTranslation()
  return (bytes) => {
    const isSmall = bytes < MEBIBYTE
    const value = isSmall ? Math.ceil(bytes / KIBIBYTE) : bytes / MEBIBYTE
    return `${value.toLocaleString(i18n.language, { maximumFractionDigits: 1 })} ${isSmall ? 'KB' : 'MB'}`
  }
}

/** Return the address of a task; parts of a device other than its program have pages of their own. */
export const taskAddress = ({ id, kind }: Pick<UpgradeTask, 'id' | 'kind'>): string =>
  `${path(kind === 'device' ? 'deviceUpgradeDetail' : 'clientUpgradeDetail')}?id=${id}`
