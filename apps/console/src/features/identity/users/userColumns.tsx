/** Columns of the account list. */
import { useTranslation } from 'react-i18next'
import { accountState } from '@gatehouse/contract/enums/identity'
import type { User } from '@gatehouse/contract/identity/users'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { DateOnly, RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { useSession } from '../../../api/session.ts'
import { shownName } from '../../../kit/shownName.ts'
import styles from '../identity.module.css'
import { UserState } from './UserState.tsx'

export function useUserColumns(): TableColumn<User>[] {
  const { t } = useTranslation('identity')
  const ownId = useSession(({ profile }) => profile?.id)
  return columnsOf<User>([
    {
      field: 'account',
      title: t('user.account'),
      width: 144,
      visibility: 'always',
      render: ({ id, account, realName, state }) => (
        <span className={styles.two} data-off={state === accountState.disabled || undefined}>
          <b title={account}>
            {account}
            {id === ownId && <StatusTag status="info">{t('user.you')}</StatusTag>}
          </b>
          <small title={shownName(realName)}>{shownName(realName)}</small>
        </span>
      ),
    },
    {
      field: 'roles',
      title: t('user.roles'),
      width: 126,
      render: ({ roleDetails }) => (
        <span className={styles.clamp} title={roleDetails.map(({ name }) => shownName(name)).join(t('common:listSeparator'))}>
          {roleDetails.map(({ name }) => shownName(name)).join(t('common:listSeparator'))}
        </span>
      ),
    },
    {
      field: 'administratorName',
      title: t('user.administratorName'),
      width: 126,
      render: ({ administratorName }) => shownName(administratorName),
    },
    { field: 'organisationName', title: t('organisation'), width: 98 },
    { field: 'state', title: t('state'), width: 168, render: (user) => <UserState user={user} /> },
    {
      field: 'secondFactor',
      title: t('user.secondFactor'),
      width: 84,
      render: ({ secondFactor }) =>
        secondFactor ? (
          <StatusTag status="ok">{t('user.secondFactorOn')}</StatusTag>
        ) : (
          <span className={styles.none}>{t('user.secondFactorOff')}</span>
        ),
    },
    {
      field: 'lastLogin',
      title: t('user.lastLogin'),
      width: 88,
      render: ({ lastLogin }) =>
        lastLogin === null ? <span className={styles.none}>{t('user.neverLoggedIn')}</span> : <RelativeTime at={lastLogin} />,
    },
    {
      field: 'expiry',
      title: t('user.expires'),
      width: 118,
      render: ({ expiry }) => (expiry === null ? t('user.noExpiry') : <DateOnly at={expiry} />),
    },
    { field: 'email', title: t('user.email'), width: 180, visibility: 'hidden' },
    { field: 'phone', title: t('user.phone'), width: 120, visibility: 'hidden' },
    {
      field: 'createdAt',
      title: t('createdAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ])
}
