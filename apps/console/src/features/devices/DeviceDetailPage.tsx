/** /deviceDetails/{deviceId}: one device; its door, what it knows, and who passed there. */
import { EditOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { deviceCalls, type DeviceDetail } from '@gatehouse/contract/devices/calls'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import { DetailPage, Section } from '../../kit/detail/DetailPage.tsx'
import { useRead } from '../../api/query.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMay, useMayCall } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { DeviceSync } from '../synchronisation/index.ts'
import { DeviceCare, DeviceCareSections } from '../maintenance/index.ts'
import { DeviceFacts } from './DeviceFacts.tsx'
import { DevicePassages } from './DevicePassages.tsx'
import { DeviceState } from './DeviceState.tsx'
import { DeviceSwitch } from './DeviceSwitch.tsx'
import { DoorPanel } from './DoorPanel.tsx'
import { Held } from './Held.tsx'
import { NotReleased } from './NotReleased.tsx'
import { useDeviceActions } from './useDeviceActions.tsx'
import { useDeviceStatus } from './useDeviceStatus.ts'
import { REFRESH } from './useOpenDevice.ts'
import styles from './devices.module.css'

const { authorised, unauthorised } = deviceAuthorisationStatus

export default function DeviceDetailPage() {
  const { deviceId = '' } = useParams()
  const device = useRead(deviceCalls.read, { params: { id: deviceId } })
  useDeviceStatus()
  useReadAgain()
  return <DetailPage query={device}>{(found) => <OneDevice device={found} />}</DetailPage>
}

/** Somebody who was here already opened a device: it is shown as it is now, not as it was a moment ago. */
function useReadAgain(): void {
  const cache = useQueryClient()
  const { key } = useLocation()
  const isAsked = useSearchParams()[0].get(REFRESH) === '1'
  useEffect(() => {
    if (isAsked) void cache.invalidateQueries()
  }, [cache, isAsked, key])
}

function OneDevice({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const actions = useDeviceActions({ onRemove: () => void navigate(path('deviceList')) })
  const { renewSecret, release } = actions
  const mayEdit = useMayCall(deviceCalls.change)
  return (
    <Screen
      title={device.name}
      note={<DeviceState device={device} />}
      actions={
        <>
          <DeviceSwitch />
          <DeviceCare device={device} />
          {mayEdit && (
            <Button danger type="text" onClick={() => actions.remove(device)}>
              {t('delete')}
            </Button>
          )}
          {mayEdit && device.authorisationStatus === authorised && (
            <Button danger type="text" onClick={() => actions.revoke(device)}>
              {t('revoke')}
            </Button>
          )}
          {mayEdit && <Button onClick={() => actions.move([device.id])}>{t('move')}</Button>}
          {renewSecret && (
            <Button onClick={() => renewSecret(device)}>{device.authorisationStatus === unauthorised ? t('authorise') : t('renew')}</Button>
          )}
          {mayEdit && (
            <Button icon={<EditOutlined />} onClick={() => actions.edit(device)}>
              {t('edit')}
            </Button>
          )}
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
          {!device.released && <NotReleased device={device} release={release} />}
          {(device.released || device.personsHeld > 0) && <Held device={device} large />}
          {useMay('access.rule') && <DeviceSync deviceId={device.id} name={device.name} />}
        </section>
      </div>
      <Section title={t('facts')}>
        <DeviceFacts device={device} />
      </Section>
      <DeviceCareSections device={device} />
      {useMay('access.record') && (
        <Section title={t('latestRecords')}>
          <DevicePassages deviceId={device.id} />
        </Section>
      )}
      {actions.dialogs}
    </Screen>
  )
}
