/** Upgrades in words, and where their pages are. */
import { useTranslation } from 'react-i18next'
import { jobState } from '@gatehouse/contract/enums/common'
import type { UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { path } from '../../paths.ts'

/** Devices of a task in words: how many there are, and how many of them are in which state. */
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
 * How large a package is, as people read it.
 * @returns words for a number of bytes: kilobytes below one megabyte, so that nothing is "0 MB"
 */
export function useSizeWords(): (bytes: number) => string {
  const { i18n } = useTranslation()
  return (bytes) => {
    const isSmall = bytes < MEBIBYTE
    const value = isSmall ? Math.ceil(bytes / KIBIBYTE) : bytes / MEBIBYTE
    return `${value.toLocaleString(i18n.language, { maximumFractionDigits: 1 })} ${isSmall ? 'KB' : 'MB'}`
  }
}

/** The page of a task: what a device is made of besides its program has one of its own. */
export const taskAddress = ({ id, kind }: Pick<UpgradeTask, 'id' | 'kind'>): string =>
  `${path(kind === 'device' ? 'deviceUpgradeDetail' : 'clientUpgradeDetail')}?id=${id}`
