/** Finds persons by name, pinyin, work number or phone and picks several; its value is their ids. */
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { personOption, usePersonChoices, type PersonChoice } from './personChoices.tsx'
import { useMay } from '../api/session.ts'

interface PersonsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  /** Names of those chosen already. */
  known: readonly { id: string; name: string; workNumber?: string }[]
}

export function PersonsField({ id, value = [], onChange, known }: PersonsFieldProps) {
  const { t } = useTranslation()
  const allowed = useMay('person.list')
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<PersonChoice[]>([])
  const { offered, searching } = usePersonChoices(typed, { enabled: allowed })

  const named: PersonChoice[] = [...known.map((one) => ({ value: one.id, label: one.name, more: one.workNumber ?? '' })), ...picked]
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
