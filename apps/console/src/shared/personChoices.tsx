/** Persons as they are offered to choose from: found by name, pinyin, work number or phone, shown with their face. */
import { useDeferredValue } from 'react'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { Portrait } from '../kit/media/Portrait.tsx'
import { useRead } from '../api/query.ts'
import styles from '../kit/kit.module.css'

export interface PersonChoice {
  /** Id of the person. */
  value: string
  label: string
  face?: string | undefined
  more: string
}

const SHOWN = 20

/** Persons whom a typed text may mean; the first of all while nothing was typed. */
export function usePersonChoices(
  typed: string,
  { enabled = true }: { enabled?: boolean } = {},
): { offered: PersonChoice[]; searching: boolean } {
  const wanted = useDeferredValue(typed.trim())
  const found = useRead(peopleCalls.list, { query: { keyword: wanted, size: SHOWN } }, { enabled })
  const offered = (found.data?.content ?? []).map(({ id, name, faces, workNumber, groupName }): PersonChoice => ({
    value: id,
    label: name,
    face: faces[0]?.thumbnail,
    more: [workNumber, groupName].filter(Boolean).join(' · '),
  }))
  return { offered, searching: found.isFetching }
}

export const personOption = ({ data }: { data: PersonChoice }) => (
  <span className={styles.personChoice}>
    <Portrait name={data.label} url={data.face} size={32} />
    <span>{data.label}</span>
    <small>{data.more}</small>
  </span>
)
