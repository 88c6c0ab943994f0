import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const systemScreens = {
  screenSettings: {
    path: '/screenSettings',
    page: 'features/system/screens/ScreenSettingsPage.tsx',
    kind: 'settings',
    permission: 'system.screen',
    menu: 'park',
  },
  // No menu entry until a screen shows the map: the change that adds one also sets `menu: 'park'`.
  mapSettings: {
    path: '/mapSettings',
    page: 'features/system/map/MapSettingsPage.tsx',
    kind: 'settings',
    permission: 'system.map',
  },
  dataDictionary: {
    path: '/dataDictionary',
    page: 'features/system/dictionary/DictionaryPage.tsx',
    kind: 'list',
    permission: 'system.base',
    condition: 'installation',
    menu: 'system',
  },
  ipSettings: {
    path: '/ipSettings',
    page: 'features/system/domains/DomainPage.tsx',
    kind: 'settings',
    permission: 'system.domainName',
    menu: 'system',
  },
  uiSettings: {
    path: '/uiSettings',
    page: 'features/system/look/LookPage.tsx',
    kind: 'settings',
    permission: 'system.base',
    condition: 'installation',
    menu: 'system',
  },
  noticeSettings: {
    path: '/noticeSettings',
    page: 'features/system/notices/NoticeListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/system/notices')).noticeCalls.notices },
    permission: 'system.base',
    condition: 'installation',
    menu: 'system',
  },
  messageOutbox: {
    path: '/messageOutbox',
    page: 'features/system/messages/OutboxPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/system/messages')).messageCalls.messages },
    permission: 'system.base',
    condition: 'installation',
    menu: 'system',
  },
  about: {
    path: '/about',
    page: 'features/system/about/AboutPage.tsx',
    kind: 'settings',
    menu: 'system',
  },
  onlineNotice: {
    path: '/onlineNotice',
    page: 'features/system/notices/NoticePage.tsx',
    kind: 'screen',
    layout: 'full',
  },
} as const satisfies ScreenDeclarations
