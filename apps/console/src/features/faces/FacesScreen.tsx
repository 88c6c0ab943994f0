/** The frame of the pages about face recognition, and the numbers at their top. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { path } from '../../paths.ts'
import styles from './faces.module.css'

const TABS = ['faceEngine', 'facePolicy', 'faceReport', 'faceLiveness'] as const
export type FacesTab = (typeof TABS)[number]

interface FacesScreenProps {
  tab: FacesTab
  /** Beside the title: the report, for example. */
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function FacesScreen({ tab, ...rest }: FacesScreenProps) {
  const { t } = useTranslation('faces')
  const tabs = TABS.map((name) => ({ address: path(name), label: t(`tab.${name}`), current: name === tab }))
  return <TabScreen title={t('title')} label={t('tabs')} tabs={tabs} {...rest} />
}

export interface Figure {
  key: string
  value: ReactNode
  words: ReactNode
  /** The number is not as it should be. */
  wanting?: boolean
}

/** Numbers in a row, each with what it counts. */
export function Figures({ figures }: { figures: Figure[] }) {
  return (
    <ul className={styles.figures}>
      {figures.map(({ key, value, words, wanting }) => (
        <li key={key} data-wanting={wanting || undefined}>
          <b>{value}</b>
          <span>{words}</span>
        </li>
      ))}
    </ul>
  )
}
