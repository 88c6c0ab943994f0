/** A page that says what happened and where to go next. */
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
  /** Shown before the two ways out. */
  action?: ReactNode
  /** Whether it is shown within the shell, and so inside its main part. */
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

/** Shown in place of a page that failed to load or to render. */
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

/** Shown in place of a data screen whose link is not valid. */
export function ScreenLinkRefused() {
  const { t } = useTranslation('shell')
  return (
    <Notice code="403" title={t('screenLink.title')}>
      {t('screenLink.words')}
    </Notice>
  )
}
