/** Chooses a group of persons of this park, or of another. */
import { TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'

interface GroupFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (id: string) => void
  /** 1: groups of staff and customers; 2: of the watch list; 3: of visitors. */
  type: 1 | 2 | 3
  /** Absent: the current park. */
  parkId?: string | undefined
}

export function GroupField({ id, value, onChange, type, parkId }: GroupFieldProps) {
  const { t } = useTranslation('people')
  const groups = useRead(peopleCalls.groupTree, { query: { type, parkId } })
  return (
    <TreeSelect
      {...(id && { id })}
      {...(value && { value })}
      onChange={(chosen: string) => onChange?.(chosen)}
      treeData={choicesOf(groups.data ?? [])}
      loading={groups.isPending}
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: 'title' }}
      placeholder={t('chooseGroup')}
      style={{ width: '100%' }}
    />
  )
}
