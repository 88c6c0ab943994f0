/** The frame of the pages for written rules, and for the changes that need approval because of them. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { path } from '../../paths.ts'

const TABS = ['writtenRules', 'pendingChanges'] as const

interface RulesScreenProps {
  tab: (typeof TABS)[number]
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function RulesScreen({ tab, note, actions, children }: RulesScreenProps) {
  const { t } = useTranslation('approvals')
  const tabs = TABS.map((name) => ({ address: path(name), label: t(`tab.${name}`), current: name === tab }))
  return (
    <TabScreen title={t('title')} label={t('tabs')} note={note} actions={actions} tabs={tabs}>
      {children}
    </TabScreen>
  )
}
