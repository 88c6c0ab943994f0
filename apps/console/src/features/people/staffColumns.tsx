/** Columns of the staff list: the face first, large enough to know somebody by. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { gender, personStatus } from '@gatehouse/contract/enums/people'
import type { Person } from '@gatehouse/contract/people/calls'
import { columnsOf, type TableColumn } from '../../kit/columns.tsx'
import { EnumTag } from '../../kit/EnumTag.tsx'
import { Portrait } from '../../kit/Portrait.tsx'
import { DateOnly, RelativeTime } from '../../kit/RelativeTime.tsx'
import { path } from '../../paths.ts'
import styles from './people.module.css'

/** Pixels; rows of either density have room for it. */
const FACE = 44

export function useStaffColumns(): TableColumn<Person>[] {
  const { t } = useTranslation('people')
  return columnsOf<Person>([
    {
      field: 'name',
      title: t('name'),
      width: 164,
      sortable: true,
      visibility: 'always',
      render: ({ id, name, faces }) => (
        <span className={styles.who}>
          <Portrait name={name} url={faces[0]?.thumbnail} size={FACE} />
          <Link to={path('staffDetails', { id })} title={name} tabIndex={-1}>{name}</Link>
        </span>
      ),
    },
    { field: 'workNumber', title: t('workNumber'), width: 108, sortable: true },
    { field: 'phone', title: t('phone'), width: 118 },
    { field: 'groupName', title: t('group'), width: 112 },
    { field: 'status', title: t('status'), width: 84, render: ({ status }) => <EnumTag of={personStatus} value={status} /> },
    { field: 'validTo', title: t('validTo'), width: 108, sortable: true, render: ({ validTo }) => (validTo === null ? t('unlimited') : <DateOnly at={validTo} />) },
    { field: 'gender', title: t('gender'), width: 80, visibility: 'hidden', render: (person) => <EnumTag of={gender} value={person.gender} /> },
    { field: 'cardNumber', title: t('cardNumber'), width: 120, visibility: 'hidden' },
    { field: 'remark', title: t('remark'), width: 140, visibility: 'hidden' },
    { field: 'createdAt', title: t('createdAt'), width: 120, sortable: true, visibility: 'hidden', render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ])
}
