/** Devices of a task in words: how many there are, and how many of them are in which state. */
import { useTranslation } from 'react-i18next'
import { jobState } from '@gatehouse/contract/enums/common'
import type { UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'

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
