/** The persons whom this park shares: groups, and single persons. */
import { Form, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { PersonsField } from '../../shared/PersonField.tsx'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'

/** @param chosen persons who are chosen already */
export function SharedPeople({ chosen = [] }: { chosen?: readonly { id: string; name: string }[] }) {
  const { t } = useTranslation('relations')
  const groups = useRead(peopleCalls.groupTree, { query: { type: 1 } })
  return (
    <>
      <Form.Item name="personGroupIds" label={t('personGroups')} extra={t('groupsHint')}>
        <TreeSelect
          treeCheckable
          showCheckedStrategy={TreeSelect.SHOW_PARENT}
          treeDefaultExpandAll
          allowClear
          showSearch={{ treeNodeFilterProp: 'title' }}
          treeData={choicesOf(groups.data ?? [])}
          loading={groups.isPending}
          placeholder={t('chooseGroups')}
        />
      </Form.Item>
      <Form.Item name="personIds" label={t('persons')}>
        <PersonsField initial={chosen} />
      </Form.Item>
    </>
  )
}
