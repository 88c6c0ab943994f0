/** What every bubble has: it is announced, is closed, and says what can be done. */
import { CloseOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './alarms.module.css'

interface BubbleFrameProps {
  id: string
  kind: 'watchList' | 'deviceOffline'
  icon: ReactNode
  title: string
  /** In one line. */
  folded?: boolean
  close: () => void
  /** Links. */
  actions: ReactNode
  children: ReactNode
}

export function BubbleFrame({ id, kind, icon, title, folded, close, actions, children }: BubbleFrameProps) {
  const { t } = useTranslation('alarms')
  return (
    <div className={styles.bubble} data-bubble={id} data-kind={kind} data-folded={folded || undefined} role="alert" tabIndex={-1}>
      <header>
        {icon}
        <h2>{title}</h2>
        <button type="button" aria-label={t('close')} onClick={close}>
          <CloseOutlined />
        </button>
      </header>
      <div className={styles.content}>{children}</div>
      <footer>{actions}</footer>
    </div>
  )
}
