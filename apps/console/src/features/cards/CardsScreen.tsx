/** The frame of the pages about cards: issued cards first, then key cards. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { path } from '../../paths.ts'

const TABS = ['issuedCards', 'leaderCard', 'mainCard', 'initCard', 'batchInitCard'] as const
export type CardsTab = (typeof TABS)[number]

interface CardsScreenProps {
  tab: CardsTab
  /** Beside the title: a count. */
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function CardsScreen({ tab, ...rest }: CardsScreenProps) {
  const { t } = useTranslation('cards')
  const tabs = TABS.map((name) => ({
    address: path(name),
    label: name === 'issuedCards' ? t('tabIssued') : t(`shell:title.${name}`),
    current: name === tab,
  }))
  return <TabScreen title={t('title')} label={t('tabs')} tabs={tabs} {...rest} />
}
