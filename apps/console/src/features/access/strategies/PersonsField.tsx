/** Finds persons by name or work number and picks several; its value is their ids. */
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Strategy } from '@gatehouse/contract/access/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { Portrait } from '../../../kit/Portrait.tsx'
import { useRead } from '../../../kit/query.ts'
import { useMay } from '../../../kit/session.ts'
import styles from './strategies.module.css'

interface PersonsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  /** Names of those chosen already. */
  known: Strategy['persons']
}
interface Choice {
  value: string
  label: string
  face?: string | undefined
  more: string
}

const SHOWN = 20

export function PersonsField({ id, value = [], onChange, known }: PersonsFieldProps) {
  const { t } = useTranslation('access')
  const allowed = useMay('person.list')
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Choice[]>([])
  const wanted = useDeferredValue(typed.trim())
  // Work numbers hold digits, names hardly ever do.
  const found = useRead(peopleCalls.list, { query: { ...(/\d/.test(wanted) ? { workNumber: wanted } : { name: wanted }), size: SHOWN } }, { enabled: allowed })

  const offered: Choice[] = (found.data?.content ?? []).map((one) => ({ value: one.id, label: one.name, face: one.faces[0]?.thumbnail, more: [one.workNumber, one.groupName].filter(Boolean).join(' · ') }))
  const named: Choice[] = [...known.map((one) => ({ value: one.id, label: one.name, more: one.workNumber })), ...picked]
  const chosen = named.filter((one) => value.includes(one.value))
  const options = [...new Map([...chosen, ...offered].map((one) => [one.value, one])).values()]
  return (
    <Select<string[], Choice>
      {...(id && { id })}
      mode="multiple"
      allowClear
      showSearch={{ filterOption: wanted === '' ? true : (_, one) => offered.some(({ value: other }) => other === one?.value), onSearch: setTyped, searchValue: typed }}
      value={value}
      options={options}
      loading={found.isFetching}
      disabled={!allowed}
      placeholder={allowed ? t('findPersons') : t('mayNotSeePersons')}
      maxTagCount={40}
      onChange={(ids) => {
        setPicked((before) => [...new Map([...before, ...offered].map((one) => [one.value, one])).values()].filter((one) => ids.includes(one.value)))
        setTyped('')
        onChange?.(ids)
      }}
      notFoundContent={found.isFetching ? null : t('nobodyFound')}
      optionRender={({ data }) => (
        <span className={styles.choice}>
          <Portrait name={data.label} url={data.face} size={32} />
          <span>{data.label}</span>
          <small>{data.more}</small>
        </span>
      )}
    />
  )
}
