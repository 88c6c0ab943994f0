/** Columns of the list of persons to look out for: a face to know them by, and why they are there. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { gender, personStatus } from '@gatehouse/contract/enums/people'
import type { Person } from '@gatehouse/contract/people/calls'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { pathOfPerson } from '../personKinds.ts'
import styles from '../people.module.css'

/** Pixels. */
const FACE = 44

export function useSpecialColumns(): TableColumn<Person>[] {
  const { t } = useTranslation('people')
  return columnsOf<Person>([
    {
      field: 'name',
      title: t('name'),
      width: 172,
      sortable: true,
      visibility: 'always',
      render: ({ id, name, faces }) => (
        <span className={styles.who}>
          <Portrait name={name} url={faces[0]?.thumbnail} size={FACE} />
          <Link to={pathOfPerson('special', id)} title={name} tabIndex={-1}>
            {name}
          </Link>
        </span>
      ),
    },
    { field: 'groupName', title: t('group'), width: 112 },
    { field: 'remark', title: t('special.reason'), width: 208 },
    { field: 'status', title: t('status'), width: 84, render: ({ status }) => <EnumTag of={personStatus} value={status} /> },
    {
      field: 'createdAt',
      title: t('createdAt'),
      width: 112,
      sortable: true,
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    { field: 'faces', title: t('photoCount'), width: 72, visibility: 'hidden', render: ({ faces }) => faces.length },
    { field: 'phone', title: t('phone'), width: 118, visibility: 'hidden' },
    {
      field: 'gender',
      title: t('gender'),
      width: 80,
      visibility: 'hidden',
      render: (person) => <EnumTag of={gender} value={person.gender} />,
    },
    { field: 'idNumber', title: t('idNumber'), width: 168, visibility: 'hidden' },
    { field: 'workNumber', title: t('special.number'), width: 108, visibility: 'hidden', sortable: true },
  ])
}
