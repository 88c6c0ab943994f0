/** Says that no persons go to a device yet, and lets whoever decides who passes change that. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import styles from './devices.module.css'

/** @param release null: the person at the screen may not */
export function NotReleased({ device, release }: { device: Device; release: ((device: Device) => void) | null }) {
  const { t } = useTranslation('devices')
  return (
    <span className={styles.notReleased}>
      <StatusTag status="wait">{t('release.not')}</StatusTag>
      {release && (
        <Button size="small" onClick={() => release(device)}>
          {t('release.release')}
        </Button>
      )}
    </span>
  )
}
