/** Columns of the list of rule alarms. */
import { useTranslation } from 'react-i18next'
import type { RuleAlarm } from '@gatehouse/contract/alarms/rule-alarms'
import { alarmHandlingStatusAlt, alarmLevel } from '@gatehouse/contract/enums/alarms'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { EventCell } from '../list/EventCell.tsx'

export function useRuleColumns(): TableColumn<RuleAlarm>[] {
  const { t } = useTranslation('alarms')
  return columnsOf<RuleAlarm>([
    {
      field: 'kind',
      title: t('rule.name'),
      width: 200,
      visibility: 'always',
      render: ({ kind, captureThumbnail }) => <EventCell picture={captureThumbnail} name={t(`rule.${kind}`)} />,
    },
    { field: 'personName', title: t('person'), width: 120, visibility: 'always' },
    { field: 'level', title: t('level'), width: 72, render: ({ level }) => <EnumTag of={alarmLevel} value={level} /> },
    {
      field: 'status',
      title: t('status'),
      width: 92,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={alarmHandlingStatusAlt} value={status} />,
    },
    { field: 'deviceName', title: t('device'), width: 140 },
    { field: 'count', title: t('rule.count'), width: 80 },
    { field: 'time', title: t('time'), width: 110, visibility: 'always', render: ({ time }) => <RelativeTime at={time} /> },
    { field: 'operator', title: t('operator'), width: 100 },
    { field: 'dealtAt', title: t('dealtAt'), width: 104, visibility: 'hidden', render: ({ dealtAt }) => <RelativeTime at={dealtAt} /> },
    { field: 'dealingRecord', title: t('dealingRecord'), width: 140, visibility: 'hidden' },
    {
      field: 'escalatedAt',
      title: t('escalatedAt'),
      width: 104,
      visibility: 'hidden',
      render: ({ escalatedAt }) => <RelativeTime at={escalatedAt} />,
    },
  ])
}
