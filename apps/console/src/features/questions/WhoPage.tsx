/** /accessQuestion: the persons who can pass doors, now or at another time. */
import { Form, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { DoorsField } from '../../shared/DoorsField.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { useList } from '../../kit/list/useList.ts'
import { MomentField, QuestionScreen, Refused, refusedOf, answered, useQuestion } from './QuestionScreen.tsx'
import { usePasserColumns } from './questionColumns.tsx'
import styles from './questions.module.css'

export default function WhoPage() {
  const { t } = useTranslation('questions')
  const [{ deviceIds, deviceGroupIds, at }, ask] = useQuestion(questionCalls.whoCanPass)
  const groups = useRead(deviceCalls.groupTree, {})
  return (
    <QuestionScreen tab="accessQuestion">
      <Form layout="vertical" component="div" className={styles.question ?? ''}>
        <Form.Item label={t('doors')} htmlFor="question-doors">
          <DoorsField id="question-doors" value={deviceIds} placeholder={t('chooseDoors')} onChange={(ids) => ask({ deviceIds: ids })} />
        </Form.Item>
        <Form.Item label={t('doorGroups')} htmlFor="question-groups">
          <TreeSelect
            id="question-groups"
            multiple
            allowClear
            treeDefaultExpandAll
            showSearch={{ treeNodeFilterProp: 'title' }}
            treeData={choicesOf(groups.data ?? [])}
            loading={groups.isPending}
            value={deviceGroupIds}
            placeholder={t('chooseGroups')}
            onChange={(ids: string[]) => ask({ deviceGroupIds: ids })}
          />
        </Form.Item>
        <MomentField value={at} onChange={(moment) => ask({ at: moment })} />
      </Form>
      {deviceIds.length + deviceGroupIds.length === 0 ? <p className={styles.idle}>{t('whoIdle')}</p> : <Passers />}
    </QuestionScreen>
  )
}

function Passers() {
  const { t } = useTranslation('questions')
  const list = answered(useList(questionCalls.whoCanPass, { name: 'whoCanPass' }))
  const refused = refusedOf(list.error)
  const columns = usePasserColumns()
  if (refused !== undefined) return <Refused words={refused} />
  return (
    <>
      <p className={styles.answer} role="status">
        {!list.pending && !list.error && t('whoAnswer', { count: list.total })}
      </p>
      <FilterBar list={list} filters={[{ field: 'name', label: t('person') }]}>
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable list={list} columns={columns} empty={{ title: t('nobody') }} />
    </>
  )
}
