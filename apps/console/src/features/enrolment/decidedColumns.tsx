/** Columns of those who were passed or rejected. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PersonApplication } from '@gatehouse/contract/enrolment/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import styles from './enrolment.module.css'

const FACE = 40
const DETAILS = { staff: 'staffDetails', customer: 'customerDetails', special: 'blackDetails' } as const

export function useDecidedColumns(state: 'passed' | 'rejected'): TableColumn<PersonApplication>[] {
  const { t } = useTranslation('enrolment')
  return columnsOf<PersonApplication>([
    {
      field: 'name',
      title: t('name'),
      width: 170,
      visibility: 'always',
      render: ({ personId, name, kind, photos }) => (
        <span className={styles.who}>
          <Portrait name={name} url={photos[0]?.thumbnail} size={FACE} />
          {personId === null ? (
            <span title={name}>{name}</span>
          ) : (
            <Link to={path(DETAILS[kind], { id: personId })} title={name} tabIndex={-1}>
              {name}
            </Link>
          )}
        </span>
      ),
    },
    { field: 'workNumber', title: t('workNumber'), width: 110 },
    { field: 'phone', title: t('phoneNumber'), width: 120 },
    { field: 'groupName', title: t('group'), width: 120 },
    ...(state === 'rejected' ? [{ field: 'reason' as const, title: t('reason'), width: 190 }] : []),
    { field: 'source', title: t('source'), width: 120, render: ({ source, system }) => (source === 'self' ? t('sourceOf.self') : system) },
    { field: 'decidedBy', title: t('decidedBy'), width: 120, render: ({ decidedBy }) => shownName(decidedBy) },
    { field: 'decidedAt', title: t('decidedAt'), width: 120, render: ({ decidedAt }) => <RelativeTime at={decidedAt} /> },
    {
      field: 'createdAt',
      title: t('handedIn'),
      width: 120,
      visibility: 'hidden',
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ])
}
