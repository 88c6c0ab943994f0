/** The frame of the questions: by door, and by person. */
import { Form, Segmented, Alert } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { PAGE_START, type OutputOf } from '@gatehouse/contract'
import type { questionCalls } from '@gatehouse/contract/questions/calls'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { useMayOpen } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import { InstantField } from '../../kit/form/InstantField.tsx'
import { Refusal, sentenceOfIssue } from '../../api/refusal.ts'
import { readQuery, writeQuery } from '../../kit/list/address.ts'
import type { List } from '../../kit/list/useList.ts'
import styles from './questions.module.css'

const TABS = ['accessQuestion', 'accessQuestionPerson'] as const
type QuestionTab = (typeof TABS)[number]

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

const MINUTE = 60_000

interface MomentFieldProps {
  /** Epoch milliseconds; undefined: now. */
  value: number | undefined
  onChange: (at: number | undefined) => void
}

/** When it is about: now, or a time on the clock of the park. */
export function MomentField({ value, onChange }: MomentFieldProps) {
  const { t } = useTranslation('questions')
  return (
    <Form.Item label={t('when')} htmlFor="question-at">
      <div className={styles.moment}>
        <Segmented
          aria-label={t('when')}
          value={value === undefined ? 'now' : 'at'}
          onChange={(chosen) => onChange(chosen === 'now' ? undefined : Math.floor(Date.now() / MINUTE) * MINUTE)}
          options={[
            { value: 'now', label: t('now') },
            { value: 'at', label: t('at') },
          ]}
        />
        {value !== undefined && <InstantField id="question-at" as="time" value={value} onChange={(at) => onChange(at ?? undefined)} />}
      </div>
    </Form.Item>
  )
}

/**
 * Why there is no answer, where the question is what is wrong: a moment before history, a door that was deleted.
 * What is wrong with the question; undefined where it is answered, or was not understood for another reason.
 */
export function refusedOf(error: unknown): string | undefined {
  const [issue] = error instanceof Refusal ? error.fields : []
  return issue && sentenceOfIssue(issue)
}

export const Refused = ({ words }: { words: string }) => <Alert type="warning" showIcon role="alert" title={words} />

type QuestionCall = (typeof questionCalls)['whoCanPass' | 'whereCanPass']

/**
 * What is asked stands in the address beside the answer's page: a link to a question is a link to its answer.
 * @returns the question, and how to ask another one, which begins on the first page
 */
export function useAsked<C extends QuestionCall>({ body }: C): [OutputOf<C['body']>, (change: Partial<OutputOf<C['body']>>) => void] {
  const [search, setSearch] = useSearchParams()
  return [
    readQuery(body, search) as OutputOf<C['body']>,
    (change) => setSearch((before) => writeQuery(body, { ...readQuery(body, before), page: PAGE_START, ...change }), { replace: true }),
  ]
}

/** The answer as a list: of what stands in the address only the name narrows it, the rest is the question. */
export const answered = <Row, Query extends { name?: string | undefined }>(list: List<Row, Query>): List<Row, Query> => ({
  ...list,
  filtered: list.query.name !== undefined,
  clear: () => list.setQuery({ name: undefined } as Partial<Query>),
})
