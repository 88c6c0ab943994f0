/** The user who is logged in: name, first role, and the actions on the session. */
import {
  BellOutlined,
  DownloadOutlined,
  EnvironmentOutlined,
  GlobalOutlined,
  KeyOutlined,
  LaptopOutlined,
  LockOutlined,
  LogoutOutlined,
  SafetyCertificateOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { Dropdown, type MenuProps } from 'antd'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { create } from 'zustand'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { endKey } from '../../kit/menuKeys.ts'
import { closeSecondFactor, openSecondFactor, useSecondFactorDialog } from '../../shared/secondFactorDialog.ts'
import { useMayOpen, useSession } from '../../api/session.ts'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import { lateDialog } from '../account/lateDialog.tsx'
import { openKeys } from '../keys/KeysHost.tsx'
import { logout } from '../session/logout.ts'
import { CHANGES_PARK, openParkList } from './ParkSwitch.tsx'
import { useLanguageChoices } from './Preferences.tsx'
import styles from './layout.module.css'

/** The user's own data. */
const UserInfoDialog = lateDialog(() => import('../account/UserInfoForm.tsx'))

/** A new password; the user logs in again afterwards. */
const ChangePasswordDialog = lateDialog(() => import('../account/ChangePasswordForm.tsx'))

/** The user's own second factor: set up, moved to another phone, removed. */
const SecondFactorDialog = lateDialog(() => import('../account/SecondFactor.tsx'))

/** The user's sessions, and ending them. */
const SessionsDialog = lateDialog(() => import('../account/SessionsList.tsx'))

const dialogs = {
  userInfo: UserInfoDialog,
  changePassword: ChangePasswordDialog,
  alertSettings: lateDialog(() => import('./AlertSettings.tsx')),
  mySessions: SessionsDialog,
} satisfies Record<UserDialog, unknown>
const dialogEntries = Object.entries(dialogs) as [UserDialog, (typeof dialogs)[UserDialog]][]

export function UserMenu() {
  const { t } = useTranslation('shell')
  const profile = useSession((state) => state.profile)
  const changesPark = useMayOpen(CHANGES_PARK)
  const languages = useLanguageChoices()
  const navigate = useNavigate()
  const { open } = useUserDialog()
  // The next user to log in must not find it open.
  useEffect(
    () => () => {
      closeSecondFactor()
      closeUserDialog()
    },
    [],
  )
  const secondFactor = useSecondFactorDialog()
  if (!profile) return null
  const name = shownName(profile.realName || profile.username)
  const entry = (key: UserDialog, icon: ReactNode) => ({ key, icon, label: t(`user.${key}`), onClick: () => openUserDialog(key) })
  const items: MenuProps['items'] = [
    {
      key: 'who',
      type: 'group',
      label: (
        <span>
          {profile.username} · {profile.parkAreaName}
        </span>
      ),
    },
    ...(changesPark ? [{ key: 'changePark', icon: <EnvironmentOutlined />, label: t('user.changePark'), onClick: openParkList }] : []),
    entry('userInfo', <UserOutlined />),
    entry('changePassword', <LockOutlined />),
    { key: 'secondFactor', icon: <SafetyCertificateOutlined />, label: t('user.secondFactor'), onClick: openSecondFactor },
    entry('alertSettings', <BellOutlined />),
    entry('mySessions', <LaptopOutlined />),
    { key: 'exports', icon: <DownloadOutlined />, label: t('user.exports'), onClick: () => void navigate(path('exportRecord')) },
    { type: 'divider' },
    // Chosen here directly: a submenu is one more step, and closes easily.
    {
      key: 'language',
      type: 'group',
      label: (
        <span className={styles.groupTitle}>
          <GlobalOutlined />
          <span>{t('language')}</span>
        </span>
      ),
      children: languages,
    },
    { type: 'divider' },
    { key: 'keys', icon: <KeyOutlined />, label: t('user.keys'), onClick: openKeys },
    { key: 'logout', icon: <LogoutOutlined />, label: t('logout'), onClick: () => void logout() },
  ]
  return (
    <>
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items, onClick: endKey }}>
        <button type="button" className={styles.user} title={t('account', { name })} aria-haspopup="menu">
          <Portrait name={name} size={28} round />
          <span className={styles.userWords}>
            <b>{name}</b>
            <small>{shownName(profile.roles[0]?.name ?? profile.roleName)}</small>
          </span>
        </button>
      </Dropdown>
      <SecondFactorDialog open={secondFactor.open} close={closeSecondFactor} />
      {dialogEntries.map(([key, Dialog]) => (
        <Dialog key={key} open={open === key} close={closeUserDialog} />
      ))}
    </>
  )
}

/** Which of the user's dialogs is open, wherever it was opened from. */
export const USER_DIALOGS = ['userInfo', 'changePassword', 'alertSettings', 'mySessions'] as const
type UserDialog = (typeof USER_DIALOGS)[number]

const useUserDialog = create<{ open: UserDialog | undefined }>(() => ({ open: undefined }))
export const openUserDialog = (open: UserDialog): void => useUserDialog.setState({ open })
const closeUserDialog = (): void => useUserDialog.setState({ open: undefined })
