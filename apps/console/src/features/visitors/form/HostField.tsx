/** A choice of the host, found by name, among the staff who can be visited. Its value is the id. */
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { useRead } from '../../../api/query.ts'
import styles from './form.module.css'

interface HostFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null | undefined
  onChange?: (id: string | null) => void
  /** Name of the chosen host. */
  name?: string | undefined
  /** Receives the name of the host who is chosen; empty where none is. */
  onName?: (name: string) => void
  /** Label for screen readers, where there is no other. */
  label?: string
  placeholder: string
  className?: string | undefined
}

interface HostChoice {
  value: string
  label: string
  more: string
}

export function HostField({ id, value, onChange, name = '', onName, label, placeholder, className }: HostFieldProps) {
  const { t } = useTranslation('visitors')
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<HostChoice>()
  const keyword = useDeferredValue(typed.trim())
  const found = useRead(visitorCalls.hosts, { query: { keyword } }, { enabled: keyword !== '' })
  const offered = (keyword === '' ? [] : (found.data ?? [])).map(({ id: hostId, name: hostName, workNumber, groupName }): HostChoice => ({
    value: hostId,
    label: hostName,
    more: [workNumber, groupName].filter(Boolean).join(' · '),
  }))
  const current = value ? [chosen?.value === value ? chosen : { value, label: name || t('hostChosen'), more: '' }] : []
  const options = [...new Map([...current, ...offered].map((one) => [one.value, one])).values()]
  return (
    <Select<string, HostChoice>
      {...(id && { id })}
      {...(label !== undefined && { 'aria-label': label })}
      {...(className !== undefined && { className })}
      allowClear
      // The server has searched already: everything it found is offered.
      showSearch={{
        filterOption: keyword === '' ? true : (_, one) => offered.some((other) => other.value === one?.value),
        onSearch: setTyped,
        searchValue: typed,
      }}
      {...(value ? { value } : {})}
      options={options}
      loading={found.isFetching}
      placeholder={placeholder}
      notFoundContent={keyword === '' ? t('typeHost') : found.isFetching ? null : t('noHost')}
      popupMatchSelectWidth={260}
      onChange={(next, option) => {
        const one = Array.isArray(option) ? undefined : option
        setChosen(one)
        setTyped('')
        onName?.(one?.label ?? '')
        onChange?.(next ?? null)
      }}
      optionRender={({ data }) => (
        <span className={styles.hostChoice}>
          <span>{data.label}</span>
          <small>{data.more}</small>
        </span>
      )}
    />
  )
}
