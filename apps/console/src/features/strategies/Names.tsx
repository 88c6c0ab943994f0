/** The groups and members that a strategy names. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { shownName } from '../../kit/shownName.ts'
import styles from './strategies.module.css'

interface Named {
  id: string
  name: string
  workNumber?: string
  to?: string
}

/** Groups first, marked as such, then single members. */
export function Names({ groups, members, empty }: { groups: Named[]; members: Named[]; empty: string }) {
  const { t } = useTranslation('strategies')
  if (groups.length + members.length === 0) return <p className={styles.none}>{empty}</p>
  return (
    <ul className={styles.names}>
      {groups.map(({ id, name }) => (
        <li key={id}>
          <StatusTag status="off">{t('group')}</StatusTag> <span title={name}>{name}</span>
        </li>
      ))}
      {members.map(({ id, name, workNumber, to }) => (
        <li key={id}>
          {to ? (
            <Link to={to} title={shownName(name)}>
              {shownName(name)}
            </Link>
          ) : (
            <span title={shownName(name)}>{shownName(name)}</span>
          )}
          {workNumber && <small>{workNumber}</small>}
        </li>
      ))}
    </ul>
  )
}
