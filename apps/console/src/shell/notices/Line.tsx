/** One notice: a sentence, what can be done about it, and the way to put it away. */
import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './notices.module.css'

interface LineProps {
  status: 'info' | 'wait'
  icon: ReactNode
  children: ReactNode
  actions?: ReactNode
  /** Absent: it stays until its reason is gone. */
  close?: () => void
}

export function Line({ status, icon, children, actions, close }: LineProps) {
  const { t } = useTranslation('shell')
  return (
    <div className={styles.line} data-status={status}>
      {icon}
      <p>{children}</p>
      {actions}
      {close && <Button type="text" size="small" icon={<CloseOutlined />} aria-label={t('notice.close')} onClick={close} />}
    </div>
  )
}
