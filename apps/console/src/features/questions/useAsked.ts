/** What is asked stands in the address beside the answer's page: a link to a question is a link to its answer. */
import { useSearchParams } from 'react-router'
import { PAGE_START, type OutputOf } from '@gatehouse/contract'
import type { questionCalls } from '@gatehouse/contract/questions/calls'
import { readQuery, writeQuery } from '../../kit/list/address.ts'
import type { List } from '../../kit/list/useList.ts'

type QuestionCall = (typeof questionCalls)['whoCanPass' | 'whereCanPass']

/** @returns the question, and how to ask another one, which begins on the first page */
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
