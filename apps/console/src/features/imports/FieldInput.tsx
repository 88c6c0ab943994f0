/** The input of one field of a row. Its value is the text of a spreadsheet's cell, also where it is chosen from a list. */
import { AutoComplete, Select } from 'antd'
import Input from 'antd/es/input/Input'
import { useTranslation } from 'react-i18next'
import { cardNumberFormat, gender, personCardType } from '@gatehouse/contract/enums/people'
import { ID_TYPES, type PersonKind } from '@gatehouse/contract/people/person-fields'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { groupTypeOf } from '@gatehouse/contract/people/group-type'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'

interface FieldInputProps {
  field: string
  kind: PersonKind
  wrong: boolean
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string
  onChange?: (value: string) => void
}

/** Return the paths of groups from the top, by which a cell names a group whose name is not unique. */
const pathsOf = ({ name, children }: PersonGroupNode): string[] => [name, ...children.flatMap(pathsOf).map((below) => `${name}/${below}`)]

export function FieldInput({ field, kind, wrong, id, value = '', onChange }: FieldInputProps) {
  const choices = useChoices(field)
  const invalid = wrong ? { 'aria-invalid': true as const } : {}
  const shared = { ...(id !== undefined && { id }), value, ...invalid }
  if (field === 'groupName') return <GroupInput shared={shared} kind={kind} choose={(text) => onChange?.(text)} />
  if (choices)
    return <Select {...shared} allowClear options={choices} onChange={(chosen: string | undefined) => onChange?.(chosen ?? '')} />
  return <Input {...shared} type="text" maxLength={200} autoComplete="off" onChange={({ target }) => onChange?.(target.value)} />
}

/** Return the values of a field that has a fixed set; undefined for other fields. */
function useChoices(field: string): { value: string; label: string }[] | undefined {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  const enumOf = { gender, cardType: personCardType, cardNumberFormat }[field]
  if (enumOf) return optionsOf(enumOf).map(({ value, label }) => ({ value: String(value), label }))
  return field === 'idType' ? ID_TYPES.map((type) => ({ value: type, label: t(`idType.${type}`) })) : undefined
}

function GroupInput({ shared, kind, choose }: { shared: { value: string }; kind: PersonKind; choose: (text: string) => void }) {
  const tree = useRead(peopleCalls.groupTree, { query: { type: groupTypeOf(kind) } })
  const typed = shared.value.trim().toLowerCase()
  const offered = (tree.data ?? []).flatMap(pathsOf).filter((path) => path.toLowerCase().includes(typed))
  return (
    <AutoComplete {...shared} options={offered.map((value) => ({ value }))} onChange={(text: string | undefined) => choose(text ?? '')} />
  )
}
