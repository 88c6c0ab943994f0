/** The frame of the pages about settings of terminals. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { path } from '../../paths.ts'

const TABS = ['deviceConfig', 'deviceConfigTemplates', 'deviceConfigDefaults', 'deviceConfigDisplay'] as const

interface ConfigScreenProps {
  tab: (typeof TABS)[number]
  /** Beside the title: a count. */
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function ConfigScreen({ tab, ...rest }: ConfigScreenProps) {
  const { t } = useTranslation('configuration')
  const tabs = TABS.map((name) => ({ address: path(name), label: t(`tab.${name}`), current: name === tab }))
  return <TabScreen title={t('title')} label={t('tabs')} tabs={tabs} {...rest} />
}
