/** Captures with a label, to be taken out where one was wrong. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { CAPTURE_LABELS, faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { useList, type RowOf } from '../../../kit/list/useList.ts'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { livenessInWords } from './livenessScore.ts'

type Row = RowOf<typeof faceLivenessCalls.captures>

export function CaptureList() {
  const { t } = useTranslation('faces')
  const list = useList(faceLivenessCalls.captures, { name: 'livenessCaptures' })
  const undoable = useUndo()
  const remove = useWrite(faceLivenessCalls.remove, { done: t('capture.removed') })
  const removeAll = (ids: string[]): void => {
    list.setSelected([])
    undoable(t('capture.removing', { count: ids.length }), () => remove.run({ body: { ids } }))
  }
  const columns = columnsOf<Row>([
    {
      field: 'label',
      title: t('capture.label'),
      width: 140,
      visibility: 'always',
      render: ({ label }) => <StatusTag status={label === 'genuine' ? 'ok' : 'bad'}>{t(`trial.${label}`)}</StatusTag>,
    },
    { field: 'score', title: t('capture.score'), width: 120, visibility: 'always', render: ({ score }) => livenessInWords(score) },
    { field: 'source', title: t('capture.source'), width: 160, render: ({ source }) => t(`capture.sources.${source}`) },
    { field: 'createdAt', title: t('capture.time'), width: 140, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { field: 'modelId', title: t('engine.model'), width: 180, visibility: 'hidden' },
  ])
  return (
    <>
      <FilterBar
        list={list}
        filters={[
          { field: 'label', label: t('capture.label'), options: CAPTURE_LABELS.map((value) => ({ value, label: t(`trial.${value}`) })) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('capture.none') }}
        bulk={(ids) => (
          <Button size="small" danger onClick={() => removeAll(ids)}>
            {t('capture.remove')}
          </Button>
        )}
      />
    </>
  )
}
