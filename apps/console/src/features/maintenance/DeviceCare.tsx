/** Maintenance of a device on its own page: commands and logs behind one button, and its health below. */
import { DownOutlined, ToolOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Dropdown, Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/device'
import { maintenanceCalls, type DeviceResource } from '@gatehouse/contract/maintenance/calls'
import { RESOURCE_KINDS, kindsAbove } from '@gatehouse/contract/maintenance/resources'
import { endKey } from '../../kit/menuKeys.ts'
import { Section, DetailPage } from '../../kit/detail/DetailPage.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { DoorRequests } from '../doors/index.ts'
import { useMaintenance } from './useMaintenance.tsx'
import styles from './maintenance.module.css'

type Cared = Pick<Device, 'id' | 'name' | 'onlineStatus'>

export function DeviceCare({ device }: { device: Cared }) {
  const { t } = useTranslation('maintenance')
  const { actionsOf, dialogs } = useMaintenance()
  const items = actionsOf(device).map(({ key, label, run, danger = false }) => ({ key, label, danger, onClick: run }))
  return (
    <>
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items, onClick: endKey }}>
        <Button icon={<ToolOutlined />}>
          {t('tools.title')} <DownOutlined />
        </Button>
      </Dropdown>
      {dialogs}
    </>
  )
}

export function DeviceCareSections({ device: { id } }: { device: Cared }) {
  const { t } = useTranslation('maintenance')
  return (
    <>
      <Section title={t('resource.title')}>
        <DeviceHealth deviceId={id} />
      </Section>
      <Section title={t('tools.requests')}>
        <DoorRequests deviceId={id} />
      </Section>
    </>
  )
}

/** Processor, memory and disk of a device, with a warning for each that is too full. */
function DeviceHealth({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('maintenance')
  const resource = useRead(maintenanceCalls.resource, { body: { deviceId } })
  return (
    <DetailPage query={resource}>
      {(current) => (
        <div className={styles.health}>
          {current.alerts.map(({ id, kind, value, threshold, raisedAt }) => (
            <Alert
              key={id}
              type="warning"
              showIcon
              title={
                <>
                  {t('resource.alert', { what: t(`resource.${kind}`), value: Math.round(value), threshold })} <RelativeTime at={raisedAt} />
                </>
              }
            />
          ))}
          {current.usage ? <Shares current={current} /> : <p className={styles.words}>{t('resource.unknown')}</p>}
          <p className={styles.words}>
            {current.usage && !current.isFresh && (
              <>
                {t('resource.toldAt')} <RelativeTime at={current.usage.at} />{' '}
              </>
            )}
            <Button size="small" type="text" icon={<ReloadOutlined spin={resource.isFetching} />} onClick={() => void resource.refetch()}>
              {t('resource.look')}
            </Button>
          </p>
        </div>
      )}
    </DetailPage>
  )
}

function Shares({ current: { usage, thresholds } }: { current: DeviceResource }) {
  const { t } = useTranslation('maintenance')
  if (usage === null) return null
  const above = kindsAbove(usage, thresholds)
  return (
    <ul className={styles.shares}>
      {RESOURCE_KINDS.map((kind) => (
        <li key={kind} data-above={above.includes(kind) || undefined}>
          <span>{t(`resource.${kind}`)}</span>
          <i role="presentation">
            <i style={{ width: `${usage[kind]}%` }} />
          </i>
          <b>{Math.round(usage[kind])} %</b>
        </li>
      ))}
    </ul>
  )
}
