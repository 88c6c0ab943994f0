/** The frame of the pages about face recognition: one title, and a tab with an address of its own for each. */
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { Screen } from '../../kit/Screen.tsx'
import { path } from '../../paths.ts'
import styles from './faces.module.css'

const TABS = ['faceEngine', 'facePolicy', 'faceReport', 'faceLiveness'] as const
export type FacesTab = (typeof TABS)[number]

interface FacesScreenProps {
  tab: FacesTab
  /** Beside the title: which report. */
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** Of the address a tab was chosen to come from: the focus is to stay on the tabs. */
interface TabState {
  fromTab?: boolean
}

export function FacesScreen({ tab, note, actions, children }: FacesScreenProps) {
  const { t } = useTranslation('faces')
  const { state } = useLocation() as { state: TabState | null }
  const current = useRef<HTMLAnchorElement>(null)
  const fromTab = state?.fromTab === true
  useEffect(() => {
    if (fromTab) current.current?.focus({ preventScroll: true })
  }, [fromTab])
  return (
    <Screen title={t('title')} note={note} actions={actions}>
      <nav className={styles.tabs} aria-label={t('tabs')}>
        {TABS.map((name) => (
          <Link key={name} to={path(name)} state={{ fromTab: true } satisfies TabState} {...(name === tab && { ref: current, 'aria-current': 'page' as const })}>{t(`tab.${name}`)}</Link>
        ))}
      </nav>
      {children}
    </Screen>
  )
}
