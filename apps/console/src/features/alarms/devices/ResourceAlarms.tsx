/** When processor, memory or disk of devices ran short: nothing to handle, it is over once there is enough again. */
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceEventCalls, type DeviceResourceAlarm } from '@gatehouse/contract/alarms/device-events'
import { ALARM_TABS } from '@gatehouse/contract/alarms/handling'
import { RESOURCE_KINDS } from '@gatehouse/contract/maintenance/resources'
import { topics } from '@gatehouse/contract/realtime'
import { useLive } from '../../../api/live.ts'
import { queriesOf, useRead } from '../../../api/query.ts'
import { DetailPage, Facts } from '../../../kit/detail/DetailPage.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { TabScreen } from '../../../kit/detail/TabScreen.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RangeField } from '../../../kit/list/RangeField.tsx'
import { useLocalList } from '../../../kit/list/useLocalList.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { useRefresh } from '../../../kit/useRefresh.ts'
import { path } from '../../../paths.ts'
import { useDoorChoices } from '../../../shared/doorChoices.tsx'
import { ALARM_DAYS } from '../list/AlarmScreen.tsx'
import { DeviceLink } from '../list/DeviceLink.tsx'
import { Two } from '../list/Two.tsx'
import { useLedAlarm } from '../list/useLedAlarm.ts'

const REFRESH_MS = 1_000

export function ResourceAlarms() {
  const { t } = useTranslation('alarms')
  const list = useLocalList(deviceEventCalls.resources, { name: 'resourceAlarms' })
  const columns = useColumns()
  const doors = useDoorChoices()
  const refresh = useRefresh(REFRESH_MS)
  const queries = queriesOf(deviceEventCalls.resources)
  useLive(topics.deviceAlerts, () => refresh(queries), [queries])
  const [opened, setOpened] = useState<string>()
  const led = useLedAlarm(deviceEventCalls.resources)
  const close = (): void => {
    setOpened(undefined)
    led.forget()
  }
  return (
    <TabScreen
      title={t('shell:title.deviceAlarm')}
      note={!list.pending && t('total', { count: list.total })}
      label={t('tabs')}
      tabs={[
        ...ALARM_TABS.map((tab) => ({ address: `${path('deviceAlarm')}?tab=${tab}`, label: t(`tab.${tab}`), current: false })),
        { address: `${path('deviceAlarm')}?tab=resources`, label: t('tab.resources'), current: true },
      ]}
    >
      <FilterBar
        list={list}
        filters={[
          {
            field: 'alertType',
            label: t('resource.what'),
            options: RESOURCE_KINDS.map((value) => ({ value, label: t(`resource.${value}`) })),
          },
          ...(doors === undefined ? [] : [{ field: 'deviceId' as const, label: t('device'), options: doors }]),
          { field: 'tab', label: t('status'), options: ALARM_TABS.map((value) => ({ value, label: t(`resource.tab.${value}`) })) },
        ]}
      >
        <RangeField unset={ALARM_DAYS} value={list.query} onChange={list.setQuery} />
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable list={list} columns={columns} empty={{ title: t('none.resources') }} onOpen={({ id }) => setOpened(id)} />
      <ResourceDialog id={opened ?? led.row?.id} close={close} />
    </TabScreen>
  )
}

function useColumns(): TableColumn<DeviceResourceAlarm>[] {
  const { t } = useTranslation('alarms')
  return columnsOf<DeviceResourceAlarm>([
    {
      field: 'deviceName',
      title: t('device'),
      width: 180,
      visibility: 'always',
      render: ({ deviceName, deviceCode }) => <Two first={deviceName} second={deviceCode} />,
    },
    {
      field: 'alertType',
      title: t('resource.what'),
      width: 220,
      visibility: 'always',
      render: (alarm) => <Usage alarm={alarm} />,
    },
    { field: 'checkTime', title: t('time'), width: 120, visibility: 'always', render: ({ checkTime }) => <RelativeTime at={checkTime} /> },
    { field: 'clearedAt', title: t('endedAt'), width: 120, render: (alarm) => <Cleared alarm={alarm} /> },
  ])
}

function Usage({ alarm: { alertType, usagePercent, threshold } }: { alarm: DeviceResourceAlarm }) {
  const { t } = useTranslation('alarms')
  return <>{t('resource.usage', { what: t(`resource.${alertType}`), value: Math.round(usagePercent), threshold })}</>
}

function Cleared({ alarm: { clearedAt } }: { alarm: DeviceResourceAlarm }) {
  const { t } = useTranslation('alarms')
  return clearedAt === null ? <StatusTag status="bad">{t('lasts')}</StatusTag> : <RelativeTime at={clearedAt} />
}

/** One alarm of a device's resources. */
function ResourceDialog({ id, close }: { id: string | undefined; close: () => void }) {
  const { t } = useTranslation('alarms')
  const { offset } = useZoneOffset()
  const read = useRead(deviceEventCalls.resource, { query: { id: id ?? '' } }, { enabled: id !== undefined })
  return (
    <Modal open={id !== undefined} title={t('tab.resources')} width={560} centered destroyOnHidden footer={null} onCancel={close}>
      <DetailPage query={read}>
        {(alarm) => (
          <Facts
            facts={[
              [t('device'), <DeviceLink key="device" row={alarm} />],
              [t('deviceCode'), alarm.deviceCode],
              [t('resource.what'), <Usage key="usage" alarm={alarm} />],
              [t('time'), formatInstant(alarm.checkTime, offset)],
              [t('endedAt'), <Cleared key="cleared" alarm={alarm} />],
            ]}
          />
        )}
      </DetailPage>
    </Modal>
  )
}
