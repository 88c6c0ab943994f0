/** An empty list, with the reason and the next step. */
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { sentenceOf } from '../../api/refusal.ts'
import styles from '../kit.module.css'

export function ListEmpty({ filtered, clear, title, action }: { filtered: boolean; clear: () => void; title: string; action?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={styles.state}>
      <p>{filtered ? t('list.noMatch') : title}</p>
      {filtered ? <Button onClick={clear}>{t('list.clearFilter')}</Button> : action}
    </div>
  )
}

export function ListError({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={styles.state} role="alert">
      <p>
        <b>{t('list.notLoaded')}</b>
      </p>
      <p>{sentenceOf(error)}</p>
      <Button type="primary" onClick={retry}>
        {t('tryAgain')}
      </Button>
    </div>
  )
}
