/** Adds a pass rule, or changes one, over the list. */
import { Form, Input, Select, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { passRuleCalls, type PassRule } from '@gatehouse/contract/visitors/pass-rules'
import { useRead, useReadOnce } from '../../../api/query.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { loadedFrom, ready } from '../../../kit/form/loaded.ts'
import { choicesOf } from '../../../kit/form/treeChoices.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { shownName } from '../../../kit/shownName.ts'
import { TREE_CHOICE } from '../../strategies/index.ts'
import { PassMethodsField } from '../form/PassFields.tsx'
import type { PassMethod } from '../form/visitValues.ts'
import { useVisitorGroups } from '../visitorGroups.ts'

type Values = Partial<InputOf<typeof passRuleCalls.create.body>>

/** Characters of a name. */
const NAME_MAX = 32
const WIDTH = 600

const valuesOf = ({ name, hostGroupIds, visitorGroupIds, accessGroupIds, passMethods }: PassRule): Values => ({
  name,
  hostGroupIds,
  visitorGroupIds,
  accessGroupIds,
  passMethods: passMethods as PassMethod[],
})

export default function PassRuleDialog({ editor }: { editor: Editor<PassRule> }) {
  return editor.target ? <ChangeRule editor={editor} id={editor.target.id} /> : <AddRule editor={editor} />
}

function AddRule({ editor }: { editor: Editor<PassRule> }) {
  const { t } = useTranslation('visitors')
  return (
    <FormDialog
      call={passRuleCalls.create}
      editor={editor}
      title={t('rules.add')}
      initial={ready<Values>({ hostGroupIds: [], visitorGroupIds: [], accessGroupIds: [], passMethods: [] })}
      done={t('saved')}
      draft="passRule.add"
      width={WIDTH}
    >
      <RuleFields />
    </FormDialog>
  )
}

function ChangeRule({ editor, id }: { editor: Editor<PassRule>; id: string }) {
  const { t } = useTranslation('visitors')
  const rule = useReadOnce(passRuleCalls.read, { query: { id } })
  return (
    <FormDialog
      call={passRuleCalls.change}
      editor={editor}
      title={t('editOf', { name: rule.data?.name ?? '' })}
      initial={loadedFrom(rule, valuesOf)}
      hidden={{ id, version: rule.data?.version }}
      done={t('saved')}
      draft={`passRule.${id}`}
      width={WIDTH}
    >
      <RuleFields />
    </FormDialog>
  )
}

/** The fields of a pass rule, named as in the write calls. */
function RuleFields() {
  const { t } = useTranslation('visitors')
  const hosts = useRead(peopleCalls.groupTree, { query: { type: 1 } })
  const visitors = useVisitorGroups()
  const rules = useRead(strategyCalls.all, { query: { kind: 'visitor' } })
  return (
    <>
      <Form.Item name="name" label={t('rules.name')} required>
        <Input maxLength={NAME_MAX} autoComplete="off" />
      </Form.Item>
      <Form.Item name="hostGroupIds" label={t('rules.hostGroups')} extra={t('rules.hostGroupsHint')}>
        <TreeSelect {...TREE_CHOICE} treeData={choicesOf(hosts.data ?? [])} loading={hosts.isPending} placeholder={t('rules.everyHost')} />
      </Form.Item>
      <Form.Item name="visitorGroupIds" label={t('rules.visitorGroups')} extra={t('rules.visitorGroupsHint')}>
        <TreeSelect {...TREE_CHOICE} treeData={visitors.choices} loading={visitors.loading} placeholder={t('rules.everyVisitor')} />
      </Form.Item>
      <Form.Item name="accessGroupIds" label={t('accessRules')} required extra={t('rules.accessRulesHint')}>
        <Select<string[]>
          mode="multiple"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          options={(rules.data ?? []).map(({ id, name }) => ({ value: id, label: shownName(name) }))}
          loading={rules.isPending}
          placeholder={t('chooseAccessRules')}
        />
      </Form.Item>
      <Form.Item name="passMethods" label={t('passMethods')} required>
        <PassMethodsField />
      </Form.Item>
    </>
  )
}
