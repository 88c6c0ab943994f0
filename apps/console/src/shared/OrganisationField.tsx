/** A choice of a node of the organisation tree, within the user's own part of it. */
import { TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { useRead } from '../api/query.ts'
import { choicesOf } from '../kit/form/treeChoices.ts'

interface OrganisationFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (id: string) => void
  disabled?: boolean
}

export function OrganisationField({ id, value, onChange, disabled = false }: OrganisationFieldProps) {
  const { t } = useTranslation()
  const tree = useRead(organisationCalls.tree, {})
  return (
    <TreeSelect
      {...(id && { id })}
      {...(value && { value })}
      onChange={(chosen: string) => onChange?.(chosen)}
      treeData={tree.data ? choicesOf([tree.data]) : []}
      loading={tree.isPending}
      disabled={disabled}
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: 'title' }}
      placeholder={t('organisation.choose')}
      style={{ width: '100%' }}
    />
  )
}
