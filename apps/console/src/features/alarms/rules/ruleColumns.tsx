/** Columns of the list of rule alarms. */
import { useTranslation } from 'react-i18next'
import type { RuleAlarm } from '@gatehouse/contract/alarms/rule-alarms'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { EventCell } from '../list/EventCell.tsx'
import { useSharedColumns } from '../list/useSharedColumns.tsx'

export function useRuleColumns(): TableColumn<RuleAlarm>[] {
  const { t } = useTranslation('alarms')
  const shared = useSharedColumns(alarmHandlingStatusAlt)
  return columnsOf<RuleAlarm>([
    {
      field: 'kind',
      title: t('rule.name'),
      width: 200,
      visibility: 'always',
      render: ({ kind, captureThumbnail }) => <EventCell picture={captureThumbnail} name={t(`rule.${kind}`)} />,
    },
    { field: 'personName', title: t('person'), width: 120, visibility: 'always' },
    shared.level,
    shared.status,
    { field: 'deviceName', title: t('device'), width: 140 },
    { field: 'count', title: t('rule.count'), width: 80 },
    { field: 'time', title: t('time'), width: 110, visibility: 'always', render: ({ time }) => <RelativeTime at={time} /> },
    ...shared.handling,
    {
      field: 'escalatedAt',
      title: t('escalatedAt'),
      width: 104,
      visibility: 'hidden',
      render: ({ escalatedAt }) => <RelativeTime at={escalatedAt} />,
    },
  ])
}
