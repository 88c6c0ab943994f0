/** What a new secret of a device comes to, asked before it is made. */
import { Switch } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceCalls, type Device } from '@gatehouse/contract/devices/calls'
import { deviceAuthorisationStatus, deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { useMayCall } from '../../api/session.ts'
import styles from './devices.module.css'

/** What the question's form tells the question; undefined: it is not for the person at the screen to say. */
export interface SecretWish {
  release: boolean | undefined
}

export function SecretQuestion({ device: { onlineStatus, authorisationStatus }, wish }: { device: Device; wish: SecretWish }) {
  const { t } = useTranslation('devices')
  const mayRelease = useMayCall(deviceCalls.release)
  const what =
    authorisationStatus === deviceAuthorisationStatus.unauthorised
      ? 'authoriseWords'
      : onlineStatus === deviceOnlineStatus.online
        ? 'renewCutsOff'
        : 'renewEndsOld'
  return (
    <>
      <p>{t(what)}</p>
      {mayRelease ? <ReleaseChoice wish={wish} /> : <p>{t('renewTakesBack')}</p>}
    </>
  )
}

function ReleaseChoice({ wish }: { wish: SecretWish }) {
  const { t } = useTranslation('devices')
  const id = useId()
  const [checked, setChecked] = useState(wish.release ?? true)
  return (
    <div className={styles.releaseChoice}>
      <Switch
        id={id}
        checked={checked}
        onChange={(now) => {
          wish.release = now
          setChecked(now)
        }}
      />
      <label htmlFor={id}>{t('release.field')}</label>
      <small>{t('release.hint')}</small>
    </div>
  )
}
