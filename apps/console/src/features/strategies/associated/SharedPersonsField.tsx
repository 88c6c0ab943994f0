/** Finds people a linked park shares, by name or work number, and picks several; its value is their ids. */
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { useRead } from '../../../api/query.ts'

interface SharedPersonsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  parkId: string
  /** Names of those chosen already. */
  known: readonly { id: string; name: string; workNumber: string }[]
}

const SHOWN = 20

export function SharedPersonsField({ id, value = [], onChange, parkId, known }: SharedPersonsFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<typeof known>([])
  const found = useRead(associatedRuleCalls.persons, { query: { parkId, name: useDeferredValue(typed.trim()), size: SHOWN } })
  const offered = found.data?.content ?? []
  const chosen = [...known, ...picked].filter((one) => value.includes(one.id))
  const options = [
    ...new Map(
      [...chosen, ...offered].map((one) => [
        one.id,
        { value: one.id, label: one.workNumber ? `${one.name} · ${one.workNumber}` : one.name },
      ]),
    ).values(),
  ]
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      allowClear
      showSearch={{
        filterOption: typed.trim() === '' ? true : (_, one) => offered.some((other) => other.id === one?.value),
        onSearch: setTyped,
        searchValue: typed,
      }}
      value={value}
      options={options}
      loading={found.isFetching}
      placeholder={t('person.findMany')}
      maxTagCount={40}
      onChange={(ids) => {
        setPicked((before) =>
          [...new Map([...before, ...offered].map((one) => [one.id, one])).values()].filter((one) => ids.includes(one.id)),
        )
        setTyped('')
        onChange?.(ids)
      }}
      notFoundContent={found.isFetching ? null : t('person.nobodyFound')}
    />
  )
}
