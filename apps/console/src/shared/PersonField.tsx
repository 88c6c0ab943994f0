/** Fields that find one person, or several, by name, pinyin, work number or phone, for users who may see persons. */
import { Select } from 'antd'
import { useState, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { useMay } from '../api/session.ts'
import { Portrait } from '../kit/media/Portrait.tsx'
import { useRead } from '../api/query.ts'
import styles from '../kit/kit.module.css'

interface PersonFieldProps {
  value: string | undefined
  /** The person who is chosen already, for one whom the field did not find itself. */
  initial?: { id: string; name: string } | undefined
  /** Person who is not offered; absent: all are. */
  except?: string
  /** Label for screen readers. */
  label: string
  disabled?: boolean
  onChange: (id: string | undefined) => void
}

/** A choice of one person. Its value is the id. */
export function PersonField({ value, initial, except, label, disabled = false, onChange }: PersonFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<PersonChoice>()
  const { offered: found, searching } = usePersonChoices(typed)
  const offered = found.filter((one) => one.value !== except)
  // The chosen person keeps their name, even when a later search does not find them.
  const before: PersonChoice[] = initial ? [{ value: initial.id, label: initial.name, more: '' }] : []
  const shown = [...offered, ...(chosen ? [chosen] : []), ...before].find((one) => one.value === value)
  const named = shown === undefined || offered.includes(shown) ? [] : [shown]
  return (
    <Select<string, PersonChoice>
      className={styles.person}
      aria-label={label}
      allowClear
      disabled={disabled}
      // The server has searched already: everything it found is offered.
      showSearch={{ filterOption: (_, one) => offered.some((other) => other.value === one?.value), onSearch: setTyped, searchValue: typed }}
      {...(value !== undefined && { value })}
      options={[...named, ...offered]}
      loading={searching}
      placeholder={t('person.find')}
      notFoundContent={searching ? null : t('person.nobodyFound')}
      onChange={(id, option) => {
        setChosen(Array.isArray(option) ? undefined : option)
        setTyped('')
        onChange(id)
      }}
      optionRender={personOption}
    />
  )
}

interface PersonsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  /** Names of the persons chosen already. */
  initial: readonly { id: string; name: string; workNumber?: string }[]
}

/** A choice of several persons, found by name, pinyin, work number or phone. Its value is their ids. */
export function PersonsField({ id, value = [], onChange, initial }: PersonsFieldProps) {
  const { t } = useTranslation()
  const allowed = useMay('person.list')
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<PersonChoice[]>([])
  const { offered, searching } = usePersonChoices(typed, { enabled: allowed })

  const named: PersonChoice[] = [...initial.map((one) => ({ value: one.id, label: one.name, more: one.workNumber ?? '' })), ...picked]
  const chosen = named.filter((one) => value.includes(one.value))
  const options = [...new Map([...chosen, ...offered].map((one) => [one.value, one])).values()]
  return (
    <Select<string[], PersonChoice>
      {...(id && { id })}
      mode="multiple"
      allowClear
      showSearch={{
        filterOption: typed.trim() === '' ? true : (_, one) => offered.some(({ value: other }) => other === one?.value),
        onSearch: setTyped,
        searchValue: typed,
      }}
      value={value}
      options={options}
      loading={searching}
      disabled={!allowed}
      placeholder={allowed ? t('person.findMany') : t('person.mayNotSee')}
      maxTagCount={40}
      onChange={(ids) => {
        setPicked((before) =>
          [...new Map([...before, ...offered].map((one) => [one.value, one])).values()].filter((one) => ids.includes(one.value)),
        )
        setTyped('')
        onChange?.(ids)
      }}
      notFoundContent={searching ? null : t('person.nobodyFound')}
      optionRender={personOption}
    />
  )
}

interface PersonChoice {
  /** Id of the person. */
  value: string
  label: string
  face?: string | undefined
  more: string
}

const SHOWN = 20

/** Return the persons that a typed text matches by name, pinyin, work number or phone; the first of all persons while nothing is typed. */
function usePersonChoices(typed: string, { enabled = true }: { enabled?: boolean } = {}): { offered: PersonChoice[]; searching: boolean } {
  const keyword = useDeferredValue(typed.trim())
  const found = useRead(peopleCalls.list, { query: { keyword: keyword, size: SHOWN } }, { enabled })
  const offered = (found.data?.content ?? []).map(({ id, name, faces, workNumber, groupName }): PersonChoice => ({
    value: id,
    label: name,
    face: faces[0]?.thumbnail,
    more: [workNumber, groupName].filter(Boolean).join(' · '),
  }))
  return { offered, searching: found.isFetching }
}

const personOption = ({ data }: { data: PersonChoice }) => (
  <span className={styles.personChoice}>
    <Portrait name={data.label} url={data.face} size={32} />
    <span>{data.label}</span>
    <small>{data.more}</small>
  </span>
)
