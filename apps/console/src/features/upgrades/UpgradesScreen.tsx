/** The frame of the pages of upgrades: tasks of each kind, and the versions they bring. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { path } from '../../paths.ts'

export type UpgradeTab = UpgradeKind | 'all' | 'versions'

interface UpgradesScreenProps {
  tab: UpgradeTab
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function UpgradesScreen({ tab, note, actions, children }: UpgradesScreenProps) {
  const { t } = useTranslation('upgrades')
  const tasks = path('deviceUpgradeNotPrivatization')
  const addresses: Record<UpgradeTab, string> = {
    all: tasks,
    client: `${tasks}?kind=client`,
    device: `${tasks}?kind=device`,
    algorithm: path('algorithmUpgrade'),
    versions: path('apkUpload'),
  }
  return (
    <TabScreen
      title={t('title')}
      note={note}
      actions={actions}
      label={t('tabs')}
      tabs={(Object.keys(addresses) as UpgradeTab[]).map((one) => ({
        address: addresses[one],
        label: t(`tab.${one}`),
        current: one === tab,
      }))}
    >
      {children}
    </TabScreen>
  )
}
