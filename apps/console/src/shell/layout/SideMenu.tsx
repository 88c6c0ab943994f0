/** The left menu: only what this session may open, 64 or 220 pixels wide. */
import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Menu, Tooltip, type MenuProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SIDEBAR_COLLAPSED, SIDEBAR_EXPANDED } from '@gatehouse/contract'
import { may, useSession } from '../../kit/session.ts'
import { pages } from '../../routes.tsx'
import { screens, screenOf, type ScreenName } from '../../screens.ts'
import { useInstallation } from '../installation.ts'
import { Mark } from '../Mark.tsx'
import { useKeptAddress } from './PageStack.tsx'
import { groupIcons } from './icons.tsx'
import { menuFor } from './menu.ts'
import { toggleMenu, useMenuCollapsed } from './menuState.ts'
import styles from './layout.module.css'

type MenuItems = NonNullable<MenuProps['items']>

export function SideMenu({ current }: { current: ScreenName | undefined }) {
  const { t } = useTranslation('shell')
  const { collapsed } = useMenuCollapsed()
  const parkType = useSession(({ park }) => park?.parkType)
  const { systemName } = useInstallation()
  const addressOf = useKeptAddress()
  const parent = current && screens[current].parent
  const marked = parent && screenOf(parent) ? parent : (current ?? '')
  const sections = menuFor(may)

  const entry = (name: ScreenName) => ({
    key: name,
    label: (
      <Link to={addressOf(screens[name].path)} onMouseEnter={() => void pages[name]().catch(() => {})}>
        {t(`title.${name}`)}
      </Link>
    ),
  })
  const items: MenuItems = sections.flatMap(({ group, entries }): MenuItems =>
    group === 'top'
      ? entries.map((name) => ({ ...entry(name), icon: groupIcons.top }))
      : [{ key: `group.${group}`, icon: groupIcons[group], label: t(`menu.${group}`, parkType === 3 ? { context: 'academy' } : {}), children: entries.map(entry) }],
  )

  return (
    <nav className={styles.side} style={{ width: collapsed ? SIDEBAR_COLLAPSED : SIDEBAR_EXPANDED }} aria-label={t('mainMenu')}>
      <div className={styles.brand}>
        <Mark size={28} />
        {!collapsed && <span className={styles.brandName}>{systemName}</span>}
      </div>
      <Menu
        mode="inline"
        className={styles.menu}
        inlineCollapsed={collapsed}
        inlineIndent={14}
        selectedKeys={[marked]}
        {...(!collapsed && { defaultOpenKeys: sections.map(({ group }) => `group.${group}`) })}
        items={items}
      />
      <Tooltip title={collapsed ? t('expandMenu') : ''} placement="right">
        <button type="button" className={styles.fold} onClick={toggleMenu} aria-label={collapsed ? t('expandMenu') : t('collapseMenu')} aria-expanded={!collapsed}>
          {collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
          {!collapsed && <span>{t('collapseMenu')}</span>}
        </button>
      </Tooltip>
    </nav>
  )
}
