/** Columns of the lists of persons: the face first, large enough to recognise a person. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { gender, personStatus } from '@gatehouse/contract/enums/people'
import type { Person } from '@gatehouse/contract/people/person'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { DateOnly, RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { ConsentTag, TimeLeft } from './PersonTags.tsx'
import { pathOfPerson, type RegisterKind } from './personKinds.ts'
import styles from './people.module.css'

/** Pixels; rows of either density have room for it. */
const FACE = 44

export function usePersonColumns(kind: RegisterKind): TableColumn<Person>[] {
  const { t } = useTranslation('people')
  const customer = kind === 'customer'
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
          <Link to={pathOfPerson(kind, id)} title={name} tabIndex={-1}>
            {name}
          </Link>
        </span>
      ),
    },
    { field: 'workNumber', title: t('workNumber', { context: kind }), width: 108, sortable: true },
    { field: 'phone', title: t('phone'), width: 118 },
    { field: 'groupName', title: t('group'), width: 112 },
    { field: 'status', title: t('status'), width: 84, render: ({ status }) => <EnumTag of={personStatus} value={status} /> },
    // For customers the remaining validity is the main purpose of the list.
    {
      field: 'validTo',
      title: t('validTo'),
      width: 112,
      sortable: true,
      render: ({ validTo, status }) => {
        if (validTo === null) return t('unlimited')
        // The status shows already that the validity has ended.
        return (
          <span className={styles.left}>
            <DateOnly at={validTo} />
            {customer && status !== personStatus.expired && <TimeLeft until={validTo} />}
          </span>
        )
      },
    },
    {
      field: 'gender',
      title: t('gender'),
      width: 80,
      visibility: 'hidden',
      render: (person) => <EnumTag of={gender} value={person.gender} />,
    },
    { field: 'cardNumber', title: t('cardNumber'), width: 120, visibility: 'hidden' },
    { field: 'faces', title: t('photoCount'), width: 72, visibility: 'hidden', render: ({ faces }) => faces.length },
    {
      field: 'faceConsent',
      title: t('consentLabel'),
      width: 108,
      visibility: 'hidden',
      render: ({ faceConsent }) => <ConsentTag state={faceConsent} />,
    },
    { field: 'remark', title: t('remark'), width: 140, visibility: 'hidden' },
    {
      field: 'createdAt',
      title: t('createdAt'),
      width: 120,
      sortable: true,
      visibility: 'hidden',
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ])
}
