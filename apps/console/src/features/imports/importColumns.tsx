/** Columns of the list of imports. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IMPORT_OUTCOMES, type PersonImport } from '@gatehouse/contract/imports/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import { ImportState } from './ImportState.tsx'
import styles from './imports.module.css'

export function useImportColumns(): TableColumn<PersonImport>[] {
  const { t, i18n } = useTranslation('imports')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  return columnsOf<PersonImport>([
    {
      field: 'groupName',
      title: t('group'),
      width: 150,
      visibility: 'always',
      render: ({ id, groupName, kind }) => (
        <span className={styles.two}>
          <Link to={path('staffImportDetail', { id })} title={groupName} tabIndex={-1}>
            {groupName}
          </Link>
          <small>{t(`kind.${kind}`)}</small>
        </span>
      ),
    },
    { field: 'state', title: t('stateOf'), width: 110, visibility: 'always', render: (row) => <ImportState of={row} /> },
    {
      field: 'rows',
      title: t('rows'),
      width: 270,
      visibility: 'always',
      render: ({ rows }) => (Object.values(rows).some((count) => count > 0) ? <Counts rows={rows} /> : null),
    },
    {
      field: 'photos',
      title: t('photos'),
      width: 120,
      render: ({ photos, photosMatched }) =>
        photos === photosMatched ? number(photos) : t('photosOf', { matched: number(photosMatched), photos: number(photos) }),
    },
    { field: 'mode', title: t('registered'), width: 130, visibility: 'hidden', render: ({ mode }) => t(`mode.${mode}`) },
    { field: 'createdBy', title: t('by'), width: 100, render: ({ createdBy }) => shownName(createdBy) },
    { field: 'createdAt', title: t('at'), width: 100, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ])
}

/** Rows by outcome, those there are. */
function Counts({ rows }: { rows: PersonImport['rows'] }) {
  const { t, i18n } = useTranslation('imports')
  const there = IMPORT_OUTCOMES.filter((outcome) => (rows[outcome] ?? 0) > 0)
  return (
    <ul className={styles.counts}>
      {there.map((outcome) => (
        <li key={outcome} data-outcome={outcome}>
          {t(`outcome.${outcome}`)} <b>{rows[outcome].toLocaleString(i18n.language)}</b>
        </li>
      ))}
    </ul>
  )
}
