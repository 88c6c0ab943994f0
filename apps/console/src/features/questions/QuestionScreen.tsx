/** The frame of the questions: by door, and by person. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { useMayOpen } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'

const TABS = ['accessQuestion', 'accessQuestionPerson'] as const
export type QuestionTab = (typeof TABS)[number]

export function QuestionScreen({ tab, children }: { tab: QuestionTab; children: ReactNode }) {
  const { t } = useTranslation('questions')
  const opens = { accessQuestion: useMayOpen(screens.accessQuestion), accessQuestionPerson: useMayOpen(screens.accessQuestionPerson) }
  const tabs = TABS.filter((name) => opens[name]).map((name) => ({ address: path(name), label: t(`tab.${name}`), current: name === tab }))
  return (
    <TabScreen title={t('title')} label={t('tabs')} tabs={tabs}>
      {children}
    </TabScreen>
  )
}
