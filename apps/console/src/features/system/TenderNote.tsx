/** A note on the home page while the tender switch is on. */
import { Alert } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { useRead } from '../../api/query.ts'
import styles from './system.module.css'

export function TenderNote() {
  const { data } = useRead(installationCalls.bidInfo, {})
  // Its texts are loaded with it, so that the page does not wait for them.
  return data?.value === 1 ? (
    <Suspense fallback={null}>
      <Note />
    </Suspense>
  ) : null
}

function Note() {
  const { t } = useTranslation('system')
  return <Alert type="info" showIcon className={styles.state} title={t('tender.note')} description={t('tender.noteWords')} />
}
