/** A page that says what happened and where to go. */
import { Button } from 'antd'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useRouteError } from 'react-router'
import { path } from '../../paths.ts'
import { Refusal, sentenceOf } from '../../api/refusal.ts'
import styles from './pages.module.css'

interface NoticeProps {
  code: string
  title: string
  children: ReactNode
  /** Stands before the two ways out. */
  action?: ReactNode
  /** Within the shell, whose main part it is in. */
  inShell?: boolean
}

export function Notice({ code, title, children, action, inShell }: NoticeProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  useEffect(() => {
    const before = document.title
    document.title = `${title} · ${t('product')}`
    return () => {
      document.title = before
    }
  }, [title, t])
  const Part = inShell ? 'section' : 'main'
  return (
    <Part className={styles.notice}>
      <p className={styles.code}>{code}</p>
      <h1>{title}</h1>
      <p className={styles.words}>{children}</p>
      <div className={styles.ways}>
        {action}
        <Button type={action ? 'default' : 'primary'} onClick={() => void navigate(path('home'))}>
          {t('goHome')}
        </Button>
        <Button onClick={() => void navigate(-1)}>{t('goBack')}</Button>
      </div>
    </Part>
  )
}

/** Stands in for a page that failed while loading or showing. */
export function PageFailure() {
  const { t } = useTranslation('shell')
  const error = useRouteError()
  const retry = (
    <Button type="primary" onClick={() => window.location.reload()}>
      {t('tryAgain')}
    </Button>
  )
  return (
    <Notice code={error instanceof Refusal ? String(error.status || '···') : '···'} title={t('failed.title')} inShell action={retry}>
      {error instanceof Refusal ? sentenceOf(error) : t('failed.words')}
    </Notice>
  )
}

/** In place of a data screen: its link opens nothing. */
export function ScreenLinkRefused() {
  const { t } = useTranslation('shell')
  return (
    <Notice code="403" title={t('screenLink.title')}>
      {t('screenLink.words')}
    </Notice>
  )
}
