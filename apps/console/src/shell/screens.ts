import type { ScreenDeclarations } from '../screenDeclaration.ts'

export const shellScreens = {
  // Redirects to /login, and from there home where the session is valid.
  root: {
    path: '/',
    page: 'shell/login/LoginPage.tsx',
    kind: 'screen',
    layout: 'full',
  },
  login: {
    path: '/login',
    page: 'shell/login/LoginPage.tsx',
    kind: 'screen',
    layout: 'full',
    auth: 'none',
  },
  refresh: {
    path: '/refresh',
    page: 'shell/pages/RefreshPage.tsx',
    kind: 'screen',
    layout: 'full',
  },
  forbidden: {
    path: '/403',
    page: 'shell/pages/ForbiddenPage.tsx',
    kind: 'screen',
    layout: 'full',
  },
  notFound: {
    path: '/404',
    page: 'shell/pages/NotFoundPage.tsx',
    kind: 'screen',
    layout: 'full',
  },
} as const satisfies ScreenDeclarations
