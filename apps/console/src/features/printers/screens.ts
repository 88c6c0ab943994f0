import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const printersScreens = {
  printerSettings: {
    path: '/printerSettings',
    page: 'features/printers/PrinterSettingsPage.tsx',
    kind: 'settings',
    list: { call: async () => (await import('@gatehouse/contract/printers/calls')).printerCalls.settings },
    permission: 'system.base',
    menu: 'park',
  },
} as const satisfies ScreenDeclarations
