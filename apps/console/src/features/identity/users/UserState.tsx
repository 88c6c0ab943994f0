/** What the next login of an account would find: a colour, a picture and a word, and below it why or until when. */
import { ClockCircleOutlined, KeyOutlined, LockOutlined, StopOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LOCK_AFTER } from '@gatehouse/contract'
import type { User } from '@gatehouse/contract/identity/users'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import type { Status } from '../../../theme/tokens.ts'
import styles from '../identity.module.css'

type State = User['state']
const LOOK: Record<State, { status: Status; icon?: ReactNode }> = {
  enabled: { status: 'ok' },
  disabled: { status: 'off', icon: <StopOutlined /> },
  passwordExpired: { status: 'wait', icon: <KeyOutlined /> },
  locked: { status: 'bad', icon: <LockOutlined /> },
  expired: { status: 'bad', icon: <ClockCircleOutlined /> },
}

export function UserState({ user }: { user: Pick<User, 'state' | 'lockedUntil' | 'expiry' | 'lastLogin'> }) {
  // Nothing has run out yet: the first password waits for its owner.
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
