/** The frame of the pages about face recognition. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { path } from '../../paths.ts'

const TABS = ['faceEngine', 'facePolicy', 'faceReport', 'faceLiveness'] as const
export type FacesTab = (typeof TABS)[number]

interface FacesScreenProps {
  tab: FacesTab
  /** Beside the title: which report. */
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function FacesScreen({ tab, ...rest }: FacesScreenProps) {
  const { t } = useTranslation('faces')
  const tabs = TABS.map((name) => ({ address: path(name), label: t(`tab.${name}`), current: name === tab }))
  return <TabScreen title={t('title')} label={t('tabs')} tabs={tabs} {...rest} />
}
