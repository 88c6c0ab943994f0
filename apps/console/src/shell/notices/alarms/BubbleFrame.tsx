/** The frame of every bubble. */
import { CloseOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BUBBLE_KINDS, type BubbleKind } from './kinds.ts'
import styles from './alarms.module.css'

interface BubbleFrameProps {
  id: string
  kind: BubbleKind
  /** A further look of its kind. */
  look?: 'urgent' | 'stranger'
  icon: ReactNode
  title: string
  /** Shown in one line. */
  folded?: boolean
  close: () => void
  /** Links to what the alarm is about. */
  actions: ReactNode
  children: ReactNode
}

/** The frame of every bubble: announced to screen readers, with a close button and the actions. */
export function BubbleFrame({ id, kind, look, icon, title, folded, close, actions, children }: BubbleFrameProps) {
  const { t } = useTranslation('alarms')
  return (
    <div
      className={styles.bubble}
      data-bubble={id}
      data-type={BUBBLE_KINDS[kind].type}
      data-kind={kind}
      data-look={look}
      data-folded={folded || undefined}
      role="alert"
      tabIndex={-1}
    >
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
