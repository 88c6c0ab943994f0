/** Alarms that were sent in no e-mail of their own, and why. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OutputOf } from '@gatehouse/contract'
import { emailAlarmCalls, UNSENT_REASONS, type unsentAlarm } from '@gatehouse/contract/alarms/email'
import { useMayOpen } from '../../../api/session.ts'
import { Section } from '../../../kit/detail/DetailPage.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { useLocalList } from '../../../kit/list/useLocalList.ts'
import { path } from '../../../paths.ts'
import { screens } from '../../../screens.ts'
import { Two } from '../list/Two.tsx'

type Unsent = OutputOf<typeof unsentAlarm>

const SCREENS = { person: 'monitorAlarm', stranger: 'monitorAlarm', deviceEvent: 'deviceAlarm', aiBox: 'aiBoxAlarm' } as const

export function UnsentAlarms() {
  const { t } = useTranslation('alarms')
  const list = useLocalList(emailAlarmCalls.unsent, { name: 'unsentAlarms' })
  const columns = columnsOf<Unsent>([
    { field: 'kind', title: t('config.unsent.alarm'), width: 150, visibility: 'always', render: (alarm) => <AlarmLink alarm={alarm} /> },
    {
      field: 'deviceName',
      title: t('deviceAndTask'),
      width: 160,
      render: ({ deviceName, surveillanceName }) => <Two first={deviceName} second={surveillanceName} />,
    },
    { field: 'time', title: t('time'), width: 110, render: ({ time }) => <RelativeTime at={time} /> },
    { field: 'reason', title: t('config.unsent.reason'), width: 240, render: ({ reason }) => t(`config.unsent.reasonOf.${reason}`) },
    {
      field: 'includedAt',
      title: t('config.unsent.includedAt'),
      width: 150,
      render: ({ includedAt, reason }) =>
        includedAt === null ? t(reason === 'level' ? 'config.unsent.never' : 'config.unsent.notYet') : <RelativeTime at={includedAt} />,
    },
  ])
  return (
    <Section title={t('config.unsent.title')}>
      <FilterBar
        list={list}
        filters={[
          {
            field: 'reason',
            label: t('config.unsent.reason'),
            options: UNSENT_REASONS.map((value) => ({ value, label: t(`config.unsent.reasonOf.${value}`) })),
          },
        ]}
      />
      <ListTable list={list} columns={columns} empty={{ title: t('config.unsent.none') }} />
    </Section>
  )
}

/** The kind of the alarm, as a link to it for users who may see its list. */
function AlarmLink({ alarm: { kind, alarmId, time } }: { alarm: Unsent }) {
  const { t } = useTranslation('alarms')
  const screen = SCREENS[kind]
  const mayOpen = useMayOpen(screens[screen])
  const words = t(`config.unsent.kind.${kind}`)
  if (!mayOpen) return <>{words}</>
  return <Link to={`${path(screen)}?${screen === 'monitorAlarm' ? `id=${alarmId}` : `time=${time}&id=${alarmId}`}`}>{words}</Link>
}
