/** /writtenRules: rules that apply regardless of strategies. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { writtenRuleCalls, type ListedWrittenRule } from '@gatehouse/contract/approvals/written-rules'
import { columnsOf } from '../../kit/list/columns.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { modal, toast } from '../../kit/feedback.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { Refusal, sentenceOf } from '../../api/refusal.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import { RulesScreen } from './RulesScreen.tsx'
import { useRuleWords } from './ruleWords.ts'
import { NEW_WRITTEN_RULE } from './writtenRuleValues.ts'
import styles from './writtenRules.module.css'

export default function WrittenRuleListPage() {
  const { t } = useTranslation('approvals')
  const navigate = useNavigate()
  const words = useRuleWords()
  const list = useList(writtenRuleCalls.list, { name: 'writtenRules' })
  const remove = useWrite(writtenRuleCalls.delete, { done: t('deleted'), errors: 'inline' })
  const edit = (id: string): void => void navigate(path('writtenRuleDetail', { id }))
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => edit(NEW_WRITTEN_RULE)}>
      {t('add')}
    </Button>
  )
  const columns = columnsOf<ListedWrittenRule>([
    {
      field: 'name',
      title: t('name'),
      width: 200,
      visibility: 'always',
      render: ({ id, name, enabled, waiting }) => (
        <span className={styles.name}>
          <Link to={path('writtenRuleDetail', { id })} title={name} tabIndex={-1}>
            {name}
          </Link>
          {!enabled && <StatusTag status="off">{t('off')}</StatusTag>}
          {waiting && (
            <Link to={path('pendingChanges')} title={t('waitingWords', { name: shownName(waiting.requestedBy) })}>
              <StatusTag status="wait">{t('waiting')}</StatusTag>
            </Link>
          )}
        </span>
      ),
    },
    { field: 'kinds', title: t('whom'), width: 220, visibility: 'always', render: words.subjects },
    { field: 'devices', title: t('where'), width: 180, visibility: 'always', render: words.where },
    { field: 'periods', title: t('when'), width: 180, render: ({ periods }) => words.when(periods) },
    {
      field: 'reaction',
      title: t('reaction'),
      width: 150,
      render: ({ reaction }) => <StatusTag status={reaction === 'refuse' ? 'bad' : 'wait'}>{t(`reactionOf.${reaction}`)}</StatusTag>,
    },
    {
      field: 'updatedAt',
      title: t('updatedAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ])
  function actionsOf({ id, name, enabled, reaction }: ListedWrittenRule): RowAction[] {
    const ask = (): void =>
      void modal.confirm({
        title: t('deleteTitle', { name }),
        content: t(enabled && reaction === 'ask' ? 'deleteWaits' : 'deleteWords'),
        okText: t('delete'),
        okButtonProps: { danger: true },
        cancelText: t('common:cancel'),
        onOk: () =>
          remove.send({ params: { id } }).catch((error: unknown) => {
            if (!(error instanceof Refusal)) throw error
            const waits = error.data['pendingChangeId'] !== undefined
            toast(waits ? 'info' : 'error', sentenceOf(error))
            if (waits) list.retry()
          }),
      })
    return [
      { key: 'edit', label: t('edit'), run: () => edit(id) },
      { key: 'delete', label: t('delete'), danger: true, run: ask },
    ]
  }
  return (
    <RulesScreen tab="writtenRules" note={!list.pending && t('total', { count: list.total })} actions={add}>
      <FilterBar list={list} filters={[{ field: 'name', label: t('name') }]}>
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('none'), action: add }}
        onOpen={({ id }) => edit(id)}
        actions={(rule) => <RowMenu name={rule.name} actions={actionsOf(rule)} />}
      />
    </RulesScreen>
  )
}
