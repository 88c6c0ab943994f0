/** The frame of both questions: by door, and by person. */
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

/** The moment of the question: now, or a time in the park's time zone. */
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
 * Return in words what is wrong with the question, such as a moment before all history or a deleted door; undefined where nothing
 * is, or the error is of another kind.
 */
export function refusedOf(error: unknown): string | undefined {
  const [issue] = error instanceof Refusal ? error.fields : []
  return issue && sentenceOfIssue(issue)
}

export const Refused = ({ words }: { words: string }) => <Alert type="warning" showIcon role="alert" title={words} />

type QuestionCall = (typeof questionCalls)['whoCanPass' | 'whereCanPass']

/**
 * Return the question and a setter. The question is kept in the address beside the page of the answer: a link to a question is a
 * link to its answer. A new question starts on the first page.
 */
export function useQuestion<C extends QuestionCall>({ body }: C): [OutputOf<C['body']>, (change: Partial<OutputOf<C['body']>>) => void] {
  const [search, setSearch] = useSearchParams()
  return [
    readQuery(body, search) as OutputOf<C['body']>,
    (change) => setSearch((before) => writeQuery(body, { ...readQuery(body, before), page: PAGE_START, ...change }), { replace: true }),
  ]
}

/** Return the answer as a list whose only filter is the name: the other parameters of the address are the question. */
export const answered = <Row, Query extends { name?: string | undefined }>(list: List<Row, Query>): List<Row, Query> => ({
  ...list,
  filtered: list.query.name !== undefined,
  clear: () => list.setQuery({ name: undefined } as Partial<Query>),
})
