/** /accessQuestion/person: the doors that persons can pass, now or at another time. */
import { useQueries } from '@tanstack/react-query'
import { Form, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { PersonsField } from '../../shared/PersonField.tsx'
import { readOptions, useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { useList } from '../../kit/list/useList.ts'
import { MomentField, QuestionScreen, Refused, refusedOf, answered, useQuestion } from './QuestionScreen.tsx'
import { useDoorColumns } from './questionColumns.tsx'
import styles from './questions.module.css'

export default function WherePage() {
  const { t } = useTranslation('questions')
  const [{ personIds, personGroupIds, at }, ask] = useQuestion(questionCalls.whereCanPass)
  const groups = useRead(peopleCalls.groupTree, { query: {} })
  // Persons from the address have ids but no names.
  const persons = useQueries({
    queries: personIds.map((id) => readOptions(peopleCalls.read, { query: { id } })),
    combine: (answers) =>
      answers.flatMap(({ data }) => (data === undefined ? [] : [{ id: data.id, name: data.name, workNumber: data.workNumber }])),
  })
  return (
    <QuestionScreen tab="accessQuestionPerson">
      <Form layout="vertical" component="div" className={styles.question ?? ''}>
        <Form.Item label={t('persons')} htmlFor="question-persons">
          <PersonsField id="question-persons" initial={persons} value={personIds} onChange={(ids) => ask({ personIds: ids })} />
        </Form.Item>
        <Form.Item label={t('personGroups')} htmlFor="question-groups">
          <TreeSelect
            id="question-groups"
            multiple
            allowClear
            treeDefaultExpandAll
            showSearch={{ treeNodeFilterProp: 'title' }}
            treeData={choicesOf(groups.data ?? [])}
            loading={groups.isPending}
            value={personGroupIds}
            placeholder={t('chooseGroups')}
            onChange={(ids: string[]) => ask({ personGroupIds: ids })}
          />
        </Form.Item>
        <MomentField value={at} onChange={(moment) => ask({ at: moment })} />
      </Form>
      {personIds.length + personGroupIds.length === 0 ? (
        <p className={styles.idle}>{t('whereIdle')}</p>
      ) : (
        <Doors several={personIds.length > 1 || personGroupIds.length > 0} />
      )}
    </QuestionScreen>
  )
}

function Doors({ several }: { several: boolean }) {
  const { t } = useTranslation('questions')
  const list = answered(useList(questionCalls.whereCanPass, { name: 'whereCanPass' }))
  const refused = refusedOf(list.error)
  const columns = useDoorColumns(several)
  if (refused !== undefined) return <Refused words={refused} />
  return (
    <>
      <p className={styles.answer} role="status">
        {!list.pending && !list.error && t('whereAnswer', { count: list.total })}
      </p>
      <FilterBar list={list} filters={[{ field: 'name', label: t('door') }]}>
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable list={list} columns={columns} empty={{ title: t('nowhere') }} />
    </>
  )
}
