/** Columns of the rows of an import: the face first, and where a row is refused, the reason in words. */
import { CheckOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ImportOutcome, ImportRow } from '@gatehouse/contract/imports/calls'
import type { PersonKind } from '@gatehouse/contract/people/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import type { Status } from '../../theme/tokens.ts'
import { useFieldWords } from './fieldWords.ts'
import { personAddress } from './importKinds.ts'
import styles from './imports.module.css'

/** Pixels. */
const FACE = 44
const STATUS_OF: Record<ImportOutcome, Status> = { create: 'ok', change: 'info', photo: 'info', same: 'off', refused: 'bad' }

export function useRowColumns(kind: PersonKind): TableColumn<ImportRow>[] {
  const { t } = useTranslation('imports')
  const { labelOf } = useFieldWords()
  return columnsOf<ImportRow>([
    {
      field: 'name',
      title: t('field.name'),
      width: 170,
      visibility: 'always',
      render: ({ name, photos, personId }) => (
        <span className={styles.who}>
          <Portrait name={name} url={photos[0]?.thumbnail} size={FACE} />
          {personId === null ? (
            <b title={name}>{name || '—'}</b>
          ) : (
            <Link to={personAddress(kind, personId)} title={name} tabIndex={-1}>
              {name}
            </Link>
          )}
        </span>
      ),
    },
    { field: 'workNumber', title: t('field.workNumber'), width: 110, visibility: 'always' },
    {
      field: 'outcome',
      title: t('does'),
      width: 120,
      visibility: 'always',
      render: ({ outcome, finished }) => <Outcome outcome={outcome} finished={finished} />,
    },
    {
      field: 'issues',
      title: t('reason'),
      width: 300,
      render: ({ issues }) => (issues.length === 0 ? null : <Reasons issues={issues} labelOf={labelOf} />),
    },
    { field: 'groupName', title: t('group'), width: 120 },
    { field: 'phone', title: t('field.phone'), width: 118, visibility: 'hidden' },
    {
      field: 'photos',
      title: t('photos'),
      width: 80,
      visibility: 'hidden',
      render: ({ photos }) => (photos.length > 0 ? photos.length : null),
    },
    { field: 'line', title: t('line'), width: 64 },
  ])
}

function Outcome({ outcome, finished }: Pick<ImportRow, 'outcome' | 'finished'>) {
  const { t } = useTranslation('imports')
  return (
    <StatusTag status={STATUS_OF[outcome]}>
      {t(`outcome.${outcome}`)}
      {finished && outcome !== 'refused' && <CheckOutlined className={styles.finished ?? ''} aria-label={t('finished')} />}
    </StatusTag>
  )
}

function Reasons({ issues, labelOf }: { issues: ImportRow['issues']; labelOf: (field: string) => string }) {
  return (
    <ul className={styles.reasons}>
      {issues.map(({ field, words }, at) => (
        <li key={at} title={`${labelOf(field)}: ${words}`}>
          <b>{labelOf(field)}</b> {words}
        </li>
      ))}
    </ul>
  )
}
