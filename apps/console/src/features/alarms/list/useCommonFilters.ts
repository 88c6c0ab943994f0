/** Filters that the lists of alarms have in common. */
import { useTranslation } from 'react-i18next'
import { EVENT_ALARM_STATES, type AlarmTab } from '@gatehouse/contract/alarms/handling'
import { alarmHandlingStatusAlt, alarmLevel } from '@gatehouse/contract/enums/alarms'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { useDoorChoices } from '../../../shared/doorChoices.tsx'

export function useCommonFilters() {
  const { t } = useTranslation('alarms')
  const optionsOf = useEnumOptions()
  const doors = useDoorChoices()
  return {
    level: { field: 'level' as const, label: t('level'), options: optionsOf(alarmLevel) },
    /** None while devices cannot be listed. */
    device: doors === undefined ? [] : [{ field: 'deviceId' as const, label: t('device'), options: doors }],
    /** Of alarms that are handled by one step: what became of them. None where all are unhandled. */
    handled: (tab: AlarmTab, except?: number) =>
      tab === 'handled'
        ? [
            {
              field: 'status' as const,
              label: t('status'),
              options: optionsOf(alarmHandlingStatusAlt).filter(
                ({ value }) => EVENT_ALARM_STATES.handled.includes(Number(value)) && value !== except,
              ),
            },
          ]
        : [],
  }
}
