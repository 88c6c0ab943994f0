/** /faceCorrections: wrong matches that were reported: the person matched, the actual person, and the remedy. */
import { UndoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { scoreInWords } from '@gatehouse/contract'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { useDoorChoices } from '../../../shared/doorChoices.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { FilterBar, type Filter } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { usePersonName } from '../../../shared/personName.ts'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useMay, useMayCall } from '../../../api/session.ts'
import { useList, type ListQuery, type RowOf } from '../../../kit/list/useList.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'
import styles from '../faces.module.css'

type Row = RowOf<typeof clinicCalls.list>

export default function CorrectionsPage() {
  const { t } = useTranslation('faces')
  const list = useList(clinicCalls.list, { name: 'faceCorrections' })
  const columns = useCorrectionColumns()
  const doors = useDoorFilter()
  const mayUndo = useMayCall(clinicCalls.undo)
  const undo = useWrite(clinicCalls.undo, { done: t('corrections.undone') })
  const nameOf = usePersonName()
  const ask = ({ recordId, personId, personName, actualPersonId, actualPersonName }: Row): void =>
    modal.confirm({
      title: t('corrections.undoTitle'),
      content: t(actualPersonName ? 'corrections.undoWords' : 'corrections.undoWordsUnknown', {
        person: nameOf(personId, personName),
        actual: nameOf(actualPersonId, actualPersonName),
      }),
      okText: t('corrections.undo'),
      cancelText: t('common:cancel'),
      onOk: () => undo.run({ params: { id: recordId } }),
    })
  return (
    <Screen title={t('corrections.title')} note={!list.pending && t('corrections.total', { count: list.total })}>
      <FilterBar list={list} filters={doors}>
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('corrections.none'), action: <Link to={path('staffCurrent')}>{t('corrections.toRecords')}</Link> }}
        actions={(row) =>
          mayUndo && (
            <Button
              type="text"
              icon={<UndoOutlined />}
              aria-label={t('corrections.undoOf', { name: nameOf(row.personId, row.personName) })}
              title={t('corrections.undo')}
              onClick={() => ask(row)}
            />
          )
        }
      />
    </Screen>
  )
}

/** Return the filter by door; none for a user who may not list doors. */
function useDoorFilter(): Filter<ListQuery<typeof clinicCalls.list>>[] {
  const { t } = useTranslation('faces')
  const doors = useDoorChoices()
  return doors === undefined ? [] : [{ field: 'deviceId', label: t('corrections.door'), options: doors }]
}

function useCorrectionColumns() {
  const { t } = useTranslation('faces')
  const mayOpen = useMay('person.list')
  const nameOf = usePersonName()
  const person = (id: string | null, name: string) =>
    id && name && mayOpen && !isPseudonym(id) ? (
      <Link to={path('staffDetails', { id })} tabIndex={-1}>
        {name}
      </Link>
    ) : (
      <span>{nameOf(id, name) || t('corrections.unknown')}</span>
    )
  return columnsOf<Row>([
    {
      field: 'captureThumbnail',
      title: t('corrections.capture'),
      width: 68,
      visibility: 'always',
      render: ({ captureThumbnail, personId, personName }) => (
        <span className={styles.face}>
          <Portrait name={isPseudonym(personId) ? '' : personName} url={captureThumbnail} size={40} />
        </span>
      ),
    },
    {
      field: 'personName',
      title: t('corrections.takenFor'),
      width: 136,
      visibility: 'always',
      render: ({ personId, personName, score }) => (
        <span className={styles.two}>
          {person(personId, personName)}
          {score !== null && <small>{t('corrections.score', { score: scoreInWords(score) })}</small>}
        </span>
      ),
    },
    {
      field: 'actualPersonName',
      title: t('corrections.was'),
      width: 120,
      visibility: 'always',
      render: ({ actualPersonId, actualPersonName }) => person(actualPersonId, actualPersonName),
    },
    { field: 'setAside', title: t('corrections.done'), width: 190, visibility: 'always', render: (row) => <Done row={row} /> },
    {
      field: 'recordTime',
      title: t('corrections.passage'),
      width: 128,
      render: ({ recordTime, deviceName }) => (
        <span className={styles.two}>
          <RelativeTime at={recordTime} />
          <small title={deviceName}>{deviceName}</small>
        </span>
      ),
    },
    {
      field: 'createdAt',
      title: t('corrections.by'),
      width: 112,
      render: ({ createdAt, createdBy }) => (
        <span className={styles.two}>
          <span title={shownName(createdBy)}>{shownName(createdBy)}</span>
          <small>
            <RelativeTime at={createdAt} />
          </small>
        </span>
      ),
    },
    { field: 'note', title: t('corrections.note'), width: 160, visibility: 'hidden' },
  ])
}

/** The remedy of a correction. */
function Done({ row: { setAside, threshold, actualPersonId } }: { row: Row }) {
  const { t } = useTranslation('faces')
  const steps = [
    setAside.length > 0 && t('corrections.setAside', { count: setAside.length }),
    threshold !== null && t('corrections.threshold', { score: scoreInWords(threshold) }),
    actualPersonId !== null && t('corrections.pair'),
  ].filter((step) => step !== false)
  return <span className={styles.wrapped}>{steps.length > 0 ? steps.join(t('corrections.and')) : t('corrections.noted')}</span>
}
