/** The person logged in: name, first role, and what they can do about their session. */
import { LogoutOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { Portrait } from '../../kit/Portrait.tsx'
import { useSession } from '../../kit/session.ts'
import { logout } from '../session/logout.ts'
import styles from './layout.module.css'

export function UserMenu() {
  const { t } = useTranslation('shell')
  const profile = useSession((state) => state.profile)
  if (!profile) return null
  const name = profile.realName || profile.username
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: [
          { key: 'who', type: 'group', label: <span>{profile.username} · {profile.parkAreaName}</span> },
          { key: 'logout', icon: <LogoutOutlined />, label: t('logout'), onClick: () => void logout() },
        ],
      }}
    >
      <button type="button" className={styles.user} title={t('account', { name })} aria-haspopup="menu">
        <Portrait name={name} size={28} round />
        <span className={styles.userWords}>
          <b>{name}</b>
          <small>{profile.roles[0]?.name ?? profile.roleName}</small>
        </span>
      </button>
    </Dropdown>
  )
}
