/** The left menu: only what this session may open, 64 or 220 pixels wide. */
import { ExportOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Menu, Tooltip, type MenuProps } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SIDEBAR_COLLAPSED, SIDEBAR_EXPANDED } from '@gatehouse/contract'
import { pages } from '../../pages.ts'
import { screens, type MenuGroup, type OutsideName, type ScreenName } from '../../screens.ts'
import { useInstallation } from '../installation.ts'
import { Mark } from '../Mark.tsx'
import { useKeptAddress } from './PageStack.tsx'
import { groupIcons } from './icons.tsx'
import type { MenuSection } from './menu.ts'
import { collapseOnPhone, toggleMenu, useMenuState } from './menuState.ts'
import { openOutside } from './outside.ts'
import { useMenu } from './useMenu.ts'
import { useOpenGroups } from './useOpenGroups.ts'
import { useTitles } from './useTitles.ts'
import styles from './layout.module.css'

type MenuItems = NonNullable<MenuProps['items']>
/** Groups of one entry, which stands for the group. */
const ALONE: MenuSection['group'][] = ['top', 'thirdParty']

const PREFIX = 'group.'
const keyOf = (group: MenuSection['group']): string => PREFIX + group
const groupOfKey = (key: string): MenuGroup => key.slice(PREFIX.length) as MenuGroup

export function SideMenu({ current }: { current: ScreenName | undefined }) {
  const { t } = useTranslation('shell')
  const { collapsed } = useMenuState()
  const { title, group: groupTitle } = useTitles()
  const { systemName, logo } = useInstallation()
  const addressOf = useKeptAddress()
  const marked = current ? (screens[current].parent ?? current) : ''
  const sections = useMenu()
  const { open, change } = useOpenGroups(sections, marked)
  const frame = useRef<HTMLElement>(null)
  // A long menu must show where one is.
  useEffect(() => {
    frame.current?.querySelector('.ant-menu-item-selected')?.scrollIntoView({ block: 'nearest' })
  }, [marked, sections.length])
  useEffect(collapseOnPhone, [current])

  const entry = (name: ScreenName) => ({
    key: name,
    label: (
      <Link to={addressOf(screens[name].path)} onMouseEnter={() => void pages[name]().catch(() => {})}>
        {title(name)}
      </Link>
    ),
  })
  // Of no address: what it opens is asked for when it is wanted.
  const outsideEntry = (name: OutsideName) => ({
    key: name,
    label: (
      <span className={styles.outside}>
        {t(`outside.${name}`)}
        <ExportOutlined aria-label={t('outside.newWindow')} />
      </span>
    ),
    onClick: () => void openOutside(name),
  })
  const items: MenuItems = sections.flatMap(({ group, entries, outside }): MenuItems => {
    const inside = [...entries.map(entry), ...outside.map(outsideEntry)]
    return ALONE.includes(group)
      ? inside.map((one) => ({ ...one, icon: groupIcons[group] }))
      : [{ key: keyOf(group), icon: groupIcons[group], label: groupTitle(group), children: inside }]
  })

  return (
    <nav
      ref={frame}
      className={styles.side}
      data-collapsed={collapsed || undefined}
      style={{ width: collapsed ? SIDEBAR_COLLAPSED : SIDEBAR_EXPANDED }}
      aria-label={t('mainMenu')}
    >
      <div className={styles.brand}>
        {logo ? <img src={logo} alt="" /> : <Mark size={28} />}
        {!collapsed && <span className={styles.brandName}>{systemName}</span>}
      </div>
      <Menu
        mode="inline"
        className={styles.menu}
        inlineCollapsed={collapsed}
        inlineIndent={14}
        selectedKeys={[marked]}
        // Folded to icons, each group opens in a bubble of its own.
        {...(!collapsed && { openKeys: open.map(keyOf), onOpenChange: (keys: string[]) => change(keys.map(groupOfKey)) })}
        items={items}
      />
      <Tooltip title={collapsed ? t('expandMenu') : ''} placement="right">
        <button
          type="button"
          className={styles.fold}
          onClick={toggleMenu}
          aria-label={collapsed ? t('expandMenu') : t('collapseMenu')}
          aria-expanded={!collapsed}
        >
          {collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
          {!collapsed && <span>{t('collapseMenu')}</span>}
        </button>
      </Tooltip>
    </nav>
  )
}
