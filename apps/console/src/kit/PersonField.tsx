/** Finds one person by name or work number; its value is the id. For somebody who may see persons. */
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { Portrait } from './Portrait.tsx'
import { useRead } from './query.ts'
import styles from './kit.module.css'

interface PersonFieldProps {
  value: string | undefined
  /** Person who is not offered. */
  except: string
  /** Said to those who hear the page. */
  label: string
  disabled?: boolean
  onChange: (id: string | undefined) => void
}
interface Choice {
  value: string
  label: string
  face: string | undefined
  more: string
}

const SHOWN = 20

export function PersonField({ value, except, label, disabled = false, onChange }: PersonFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Choice>()
  const wanted = useDeferredValue(typed.trim())
  // Work numbers hold digits, names hardly ever do.
  const found = useRead(peopleCalls.list, { query: { ...(/\d/.test(wanted) ? { workNumber: wanted } : { name: wanted }), size: SHOWN } })
  const offered = (found.data?.content ?? [])
    .filter(({ id }) => id !== except)
    .map((one): Choice => ({ value: one.id, label: one.name, face: one.faces[0]?.thumbnail, more: [one.workNumber, one.groupName].filter(Boolean).join(' · ') }))
  // Named, even when a later search does not find him.
  const named = chosen && chosen.value === value && !offered.some((one) => one.value === value) ? [chosen] : []
  return (
    <Select<string, Choice>
      className={styles.person}
      aria-label={label}
      allowClear
      disabled={disabled}
      // The server has searched; all it found is offered.
      showSearch={{ filterOption: (_, one) => offered.some((other) => other.value === one?.value), onSearch: setTyped, searchValue: typed }}
      {...(value !== undefined && { value })}
      options={[...named, ...offered]}
      loading={found.isFetching}
      placeholder={t('person.find')}
      notFoundContent={found.isFetching ? null : t('person.nobodyFound')}
      onChange={(id, option) => {
        setChosen(Array.isArray(option) ? undefined : option)
        setTyped('')
        onChange(id)
      }}
      optionRender={({ data }) => (
        <span className={styles.personChoice}>
          <Portrait name={data.label} url={data.face} size={32} />
          <span>{data.label}</span>
          <small>{data.more}</small>
        </span>
      )}
    />
  )
}
