/** Columns of the account list, with the state of an account. */
import { ClockCircleOutlined, KeyOutlined, LockOutlined, StopOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { accountState } from '@gatehouse/contract/enums/identity'
import type { User } from '@gatehouse/contract/identity/users'
import { LOCK_AFTER } from '@gatehouse/contract'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { DateOnly, RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { useSession } from '../../../api/session.ts'
import { shownName } from '../../../kit/shownName.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import type { Status } from '../../../theme/tokens.ts'
import styles from '../identity.module.css'

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

type State = User['state']
const LOOK: Record<State, { status: Status; icon?: ReactNode }> = {
  enabled: { status: 'ok' },
  disabled: { status: 'off', icon: <StopOutlined /> },
  passwordExpired: { status: 'wait', icon: <KeyOutlined /> },
  locked: { status: 'bad', icon: <LockOutlined /> },
  expired: { status: 'bad', icon: <ClockCircleOutlined /> },
}

/** The state in which the next login would find an account: a colour, an icon and a word, with the reason or the end of the state. */
function UserState({ user }: { user: Pick<User, 'state' | 'lockedUntil' | 'expiry' | 'lastLogin'> }) {
  // Nothing has expired yet: the initial password has not been used.
  if (user.state === 'passwordExpired' && user.lastLogin === null) return <Awaited />
  return <Found user={user} />
}

function Awaited() {
  const { t } = useTranslation('identity')
  return (
    <span className={styles.state}>
      <StatusTag status="info">
        <KeyOutlined /> {t('user.state.awaited')}
      </StatusTag>
      <small>{t('user.why.awaited')}</small>
    </span>
  )
}

function Found({ user }: { user: Pick<User, 'state' | 'lockedUntil' | 'expiry'> }) {
  const { t } = useTranslation('identity')
  const { offset } = useZoneOffset()
  const { status, icon } = LOOK[user.state]
  const clock = (at: number | null): string => (at === null ? '' : formatInstant(at, offset))
  const reasons: Record<State, string> = {
    enabled: '',
    disabled: t('user.why.disabled'),
    passwordExpired: t('user.why.passwordExpired'),
    locked: t('user.why.locked', { count: LOCK_AFTER, until: clock(user.lockedUntil).slice(11, 16) }),
    expired: t('user.why.expired', { day: clock(user.expiry).slice(0, 10) }),
  }
  const reason = reasons[user.state]
  return (
    <span className={styles.state} title={reason || undefined}>
      <StatusTag status={status}>
        {icon} {t(`user.state.${user.state}`)}
      </StatusTag>
      {reason && <small>{reason}</small>}
    </span>
  )
}
