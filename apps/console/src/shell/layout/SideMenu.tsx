/** The left menu: only what this session may open; 64 or 220 pixels wide. */
import { ExportOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Menu, Tooltip, type MenuProps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { create } from 'zustand'
import { SIDEBAR_COLLAPSED, SIDEBAR_EXPANDED } from '@gatehouse/contract'
import { pages } from '../../pages.ts'
import type { MenuGroup } from '../../screenDeclaration.ts'
import { screens, type OutsideName, type ScreenName } from '../../screens.ts'
import { storage } from '../../api/storage.ts'
import { useInstallation } from '../installation.ts'
import { Mark } from '../Mark.tsx'
import { useKeptAddress } from './PageStack.tsx'
import { groupIcons } from './icons.tsx'
import { type MenuSection, groupOf, openAtFirst } from './menu.ts'
import { openOutside } from './outside.ts'
import { useMenu, useTitles } from './useMenu.ts'
import styles from './menu.module.css'

type MenuItems = NonNullable<MenuProps['items']>
/** Groups with one entry, which is shown in place of the group. */
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
  // The current entry of a long menu must be visible.
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
  // It has no address of its own: its target is requested when it is opened.
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
        // Folded to icons, each group opens in a pop-up of its own.
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

interface OpenGroups {
  open: MenuGroup[]
  /** Sets which groups are open. */
  change: (open: readonly MenuGroup[]) => void
}

/**
 * Return which groups of the menu are open: those that the user has opened in this browser, and the one of the current page.
 * @param entry the marked one
 */
function useOpenGroups(sections: readonly MenuSection[], entry: string): OpenGroups {
  const choices = useMenuState(({ groups }) => groups)
  const inUse = groupOf(sections, entry)
  /** The group of the current page, if the user has folded it: it stays folded until another group is current. */
  const [leftFolded, leaveFolded] = useState<MenuGroup | null>(null)
  if (leftFolded !== null && leftFolded !== inUse) leaveFolded(null)
  const first = openAtFirst(sections)
  const isOpen = (group: MenuGroup): boolean =>
    (group === inUse && group !== leftFolded) || (choices[group] ?? (first.includes(group) ? 'open' : 'folded')) === 'open'
  const groups = sections.flatMap(({ group }) => (group === 'top' ? [] : [group]))
  const open = groups.filter(isOpen)

  function change(next: readonly MenuGroup[]): void {
    const changed = groups.filter((group) => next.includes(group) !== open.includes(group))
    chooseGroups(Object.fromEntries(changed.map((group) => [group, next.includes(group) ? 'open' : 'folded'])))
    if (inUse !== null && changed.includes(inUse)) leaveFolded(next.includes(inUse) ? null : inUse)
  }
  return { open, change }
}

/** The user's choices by group; absent: the default. */
type GroupChoices = Partial<Record<MenuGroup, 'open' | 'folded'>>

interface MenuState {
  collapsed: boolean
  groups: GroupChoices
}

const narrow = matchMedia('(max-width: 1099px)')
/** The open menu covers the page there: layout.module.css. */
const phone = matchMedia('(max-width: 759px)')
const startsCollapsed = (): boolean => phone.matches || (storage.get('menuCollapsed') ?? narrow.matches)

/**
 * Whether the menu is folded, and which of its groups the user has opened or folded. It starts folded in a narrow window.
 * On a phone the choice is not kept: the menu would cover the next page.
 */
const useMenuState = create<MenuState>(() => ({
  collapsed: startsCollapsed(),
  groups: storage.get('menuGroups') ?? {},
}))

// Also when the window becomes narrower, a tablet is turned, or the browser zooms.
for (const width of [narrow, phone]) width.addEventListener('change', () => useMenuState.setState({ collapsed: startsCollapsed() }))

function toggleMenu(): void {
  const collapsed = !useMenuState.getState().collapsed
  if (!phone.matches) storage.set('menuCollapsed', collapsed)
  useMenuState.setState({ collapsed })
}

/** Fold the menu on a phone, where it covers the page. */
function collapseOnPhone(): void {
  if (phone.matches) useMenuState.setState({ collapsed: true })
}

function chooseGroups(chosen: GroupChoices): void {
  const groups = { ...useMenuState.getState().groups, ...chosen }
  storage.set('menuGroups', groups)
  useMenuState.setState({ groups })
}
