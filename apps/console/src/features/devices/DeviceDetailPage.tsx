/** /deviceDetails/{deviceId}: one device; its door, what it knows, and who passed there. */
import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { deviceCalls, type Device } from '@gatehouse/contract/devices/calls'
import { deviceModel, deviceType, passDirection } from '@gatehouse/contract/enums/devices'
import { DetailPage, Facts, Section } from '../../kit/DetailPage.tsx'
import { EnumTag } from '../../kit/EnumTag.tsx'
import { useRead } from '../../kit/query.ts'
import { DateOnly, RelativeTime } from '../../kit/RelativeTime.tsx'
import { Screen } from '../../kit/Screen.tsx'
import { useMay } from '../../kit/session.ts'
import { path } from '../../paths.ts'
import { DeviceSync } from '../access/index.ts'
import { DevicePassages } from './DevicePassages.tsx'
import { DeviceState } from './DeviceState.tsx'
import { DoorPanel } from './DoorPanel.tsx'
import { Held } from './Held.tsx'
import { useDeviceActions } from './useDeviceActions.tsx'
import { useDeviceStatus } from './useDeviceStatus.ts'
import styles from './devices.module.css'

export default function DeviceDetailPage() {
  const { deviceId = '' } = useParams()
  const device = useRead(deviceCalls.read, { params: { id: deviceId } })
  useDeviceStatus()
  return <DetailPage query={device}>{(found) => <OneDevice device={found} />}</DetailPage>
}

function OneDevice({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const actions = useDeviceActions({ onRemove: () => void navigate(path('deviceList')) })
  return (
    <Screen
      title={device.name}
      note={<DeviceState device={device} />}
      actions={
        <>
          <Button danger type="text" onClick={() => actions.remove(device)}>{t('delete')}</Button>
          <Button onClick={() => actions.renewSecret(device)}>{t('renew')}</Button>
          <Button icon={<EditOutlined />} onClick={() => actions.edit(device)}>{t('edit')}</Button>
        </>
      }
    >
      <div className={styles.head}>
        <section>
          <h2>{t('door')}</h2>
          <DoorPanel device={device} />
        </section>
        <section>
          <h2>{t('personsHeld')}</h2>
          <Held device={device} large />
          {useMay('access.rule') && <DeviceSync deviceId={device.id} name={device.name} />}
        </section>
      </div>
      <Section title={t('facts')}>
        <Facts
          facts={[
            [t('code'), <span className={styles.code}>{device.code}</span>],
            [t('lastSeenAt'), <RelativeTime at={device.lastSeenAt} />],
            [t('type'), <EnumTag of={deviceType} value={device.type} />],
            [t('model'), <EnumTag of={deviceModel} value={device.model} />],
            [t('direction'), <EnumTag of={passDirection} value={device.direction} />],
            [t('group'), device.groupName],
            [t('ip'), device.ip],
            [t('firmware'), device.firmwareVersion],
            [t('createdAt'), <DateOnly at={device.createdAt} />],
          ]}
        />
      </Section>
      {useMay('access.record') && <Section title={t('latestRecords')}><DevicePassages deviceId={device.id} /></Section>}
      {actions.dialogs}
    </Screen>
  )
}
