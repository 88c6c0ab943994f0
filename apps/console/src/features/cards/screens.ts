import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const cardsScreens = {
  // The only menu entry for cards: the other pages are its tabs.
  issuedCards: {
    path: '/issuedCards',
    page: 'features/cards/IssuedCardsPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/cards/calls')).cardCalls.list },
    permission: 'card.key.all',
    menu: 'device',
  },
  leaderCard: {
    path: '/leaderCard',
    page: 'features/cards/KeyCardPage.tsx',
    props: { kind: 'leader', tab: 'leaderCard' },
    kind: 'form',
    permission: 'card.key.all',
    parent: 'issuedCards',
  },
  mainCard: {
    path: '/mainCard',
    page: 'features/cards/KeyCardPage.tsx',
    props: { kind: 'main', tab: 'mainCard' },
    kind: 'form',
    permission: 'card.key.all',
    parent: 'issuedCards',
  },
  initCard: {
    path: '/initCard',
    page: 'features/cards/KeyCardPage.tsx',
    props: { kind: 'init', tab: 'initCard' },
    kind: 'form',
    permission: 'card.key.all',
    parent: 'issuedCards',
  },
  batchInitCard: {
    path: '/batchInitCard',
    page: 'features/cards/KeyCardPage.tsx',
    props: { kind: 'init', tab: 'batchInitCard', many: true },
    kind: 'form',
    permission: 'card.key.all',
    parent: 'issuedCards',
  },
} as const satisfies ScreenDeclarations
