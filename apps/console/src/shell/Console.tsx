/** The outermost frame: theme, language, cache and router. */
import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { useEffect } from 'react'
import { RouterProvider } from 'react-router'
import { useLanguage } from '../i18n/index.ts'
import { ConfirmationOutlet } from '../shared/ConfirmationOutlet.tsx'
import { FeedbackOutlet } from '../kit/feedback.tsx'
import { followPrinting, usePrinting } from '../kit/printing.ts'
import { queryClient } from '../api/query.ts'
import { antdThemeOf } from '../theme/antd.ts'
import { router } from './router.tsx'
import { followOtherTabs } from './session/otherTabs.ts'
import { applyTheme, useMotion, useTheme } from './theme.ts'

export function Console() {
  const printing = usePrinting()
  // Always light on paper.
  const mode = useTheme((state) => (printing ? 'light' : state.mode))
  const motion = useMotion((state) => state.motion)
  const { antd } = useLanguage()
  useEffect(() => applyTheme(mode), [mode])
  useEffect(followPrinting, [])
  useEffect(followOtherTabs, [])
  return (
    <ConfigProvider theme={antdThemeOf(mode, motion)} locale={antd} button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={queryClient}>
        {/* Inside the provider: questions may read the data they ask about. */}
        <FeedbackOutlet />
        <ConfirmationOutlet />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ConfigProvider>
  )
}
