/** The frame of both logs: what was done, and who saw whom. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { path } from '../../paths.ts'

const TABS = ['userLog', 'readLog'] as const
export type LogTab = (typeof TABS)[number]

interface LogScreenProps {
  tab: LogTab
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function LogScreen({ tab, ...rest }: LogScreenProps) {
  const { t } = useTranslation('audit')
  const tabs = TABS.map((name) => ({ address: path(name), label: t(`tab.${name}`), current: name === tab }))
  return <TabScreen title={t('title')} label={t('tabs')} tabs={tabs} {...rest} />
}
