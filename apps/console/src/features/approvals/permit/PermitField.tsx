/** The field for where persons may pass: access strategies, access groups and doors in one list, with the effect of the choice below. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { permitCalls, type PermitChoices } from '@gatehouse/contract/approvals/permits'
import { doorOption, type DoorChoice } from '../../../shared/doorChoices.tsx'
import { readOptions, useRead } from '../../../api/query.ts'
import { PermitEffectLine } from './PermitEffectLine.tsx'
import { isChosen, NO_PERMIT, PERMIT_FIELDS, type PermitValue } from './permitValue.ts'

export interface PermitFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: PermitValue
  onChange?: (value: PermitValue) => void
  /** The persons to permit; empty: a person who is still to be registered. */
  personIds?: readonly string[]
  /** The group of the person who is still to be registered. */
  groupId?: string | undefined
}

interface ChoiceGroup {
  label: string
  options: DoorChoice[]
}

/** `deviceIds:4711` */
const keyOf = (field: keyof PermitValue, id: string): string => `${field}:${id}`
const keysOf = (value: PermitValue): string[] => PERMIT_FIELDS.flatMap((field) => value[field].map((id) => keyOf(field, id)))
function valueOf(keys: readonly string[]): PermitValue {
  const idsOf = (field: keyof PermitValue): string[] =>
    keys.flatMap((key) => (key.startsWith(`${field}:`) ? [key.slice(field.length + 1)] : []))
  return { strategyIds: idsOf('strategyIds'), accessGroupIds: idsOf('accessGroupIds'), deviceIds: idsOf('deviceIds') }
}

export default function PermitField({ id, value = NO_PERMIT, onChange, personIds = [], groupId }: PermitFieldProps) {
  const { t } = useTranslation('approvals')
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  // The first value may come from a draft, which keeps ids but no names.
  const [first] = useState(value)
  const [picked, setPicked] = useState<ReadonlyMap<string, DoorChoice>>(new Map())
  const text = useDeferredValue(typed.trim())
  // Until new choices arrive, the previous ones are filtered by the typed text: the list is never empty when Enter is pressed.
  const found = useQuery({ ...readOptions(permitCalls.choices, { body: { text } }), placeholderData: keepPreviousData })
  const before = useRead(permitCalls.choices, { body: first }, { enabled: isChosen(first) })

  const offered: ChoiceGroup[] = PERMIT_FIELDS.map((field) => ({
    label: t(`permit.${field}`),
    options: optionsOf(field, found.data),
  })).filter(({ options }) => options.length > 0)
  const named = PERMIT_FIELDS.flatMap((field) => [...optionsOf(field, before.data), ...optionsOf(field, found.data)])
  const choiceByKey = new Map([...picked, ...named.map((one) => [one.value, one] as const)])
  const chosen = keysOf(value)

  return (
    <>
      <Select<{ value: string; label: React.ReactNode }[], DoorChoice | ChoiceGroup>
        {...(id && { id })}
        mode="multiple"
        allowClear
        labelInValue
        aria-label={t('permit.field')}
        value={chosen.map((key) => ({ value: key, label: choiceByKey.get(key)?.label ?? '…' }))}
        options={offered}
        open={open}
        onOpenChange={setOpen}
        // The effect is shown below, where the open list would cover it.
        onSelect={() => setOpen(false)}
        showSearch={{ filterOption: holds, onSearch: setTyped, searchValue: typed }}
        loading={found.isFetching}
        placeholder={t('permit.choose')}
        notFoundContent={found.isFetching ? null : t('permit.nothingFound')}
        optionRender={({ data }) => ('code' in data ? doorOption({ data }) : data.label)}
        onChange={(now) => {
          const keys = now.map((one) => one.value)
          setPicked(new Map(keys.flatMap((key) => (choiceByKey.has(key) ? [[key, choiceByKey.get(key)!] as const] : []))))
          setTyped('')
          onChange?.(valueOf(keys))
        }}
        style={{ width: '100%' }}
      />
      <PermitEffectLine value={value} personIds={personIds} groupId={groupId} />
    </>
  )
}

/** Return whether the name or code of a choice contains the typed text; false for a heading. */
function holds(typed: string, choice?: DoorChoice | ChoiceGroup): boolean {
  if (choice === undefined || !('code' in choice)) return false
  return [choice.label, choice.code].some((text) => text.toLowerCase().includes(typed.trim().toLowerCase()))
}

const CHOICES_OF = { strategyIds: 'strategies', accessGroupIds: 'accessGroups', deviceIds: 'devices' } as const

function optionsOf(field: keyof PermitValue, choices: PermitChoices | undefined): DoorChoice[] {
  const named: readonly { id: string; name: string; code?: string }[] = choices?.[CHOICES_OF[field]] ?? []
  return named.map(({ id, name, code = '' }) => ({ value: keyOf(field, id), label: name, code }))
}
