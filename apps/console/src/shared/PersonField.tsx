/** Finds one person by name, pinyin, work number or phone; its value is the id. For somebody who may see persons. */
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { personOption, usePersonChoices, type PersonChoice } from './personChoices.tsx'
import styles from '../kit/kit.module.css'

interface PersonFieldProps {
  value: string | undefined
  /** Person who is not offered. */
  except: string
  /** Said to those who hear the page. */
  label: string
  disabled?: boolean
  onChange: (id: string | undefined) => void
}

export function PersonField({ value, except, label, disabled = false, onChange }: PersonFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<PersonChoice>()
  const { offered: found, searching } = usePersonChoices(typed)
  const offered = found.filter((one) => one.value !== except)
  // Named, even when a later search does not find him.
  const named = chosen && chosen.value === value && !offered.some((one) => one.value === value) ? [chosen] : []
  return (
    <Select<string, PersonChoice>
      className={styles.person}
      aria-label={label}
      allowClear
      disabled={disabled}
      // The server has searched; all it found is offered.
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
