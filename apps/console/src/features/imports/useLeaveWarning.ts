/** Asks before a page is left on which something is still under way. */
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { modal } from '../../kit/feedback.tsx'
import { path } from '../../paths.ts'

/** @param busy whether leaving would break something off; a session that ends is not held up */
export function useLeaveWarning(busy: boolean): void {
  const { t } = useTranslation('imports')
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      busy && currentLocation.pathname !== nextLocation.pathname && nextLocation.pathname !== path('login'),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    modal.confirm({
      title: t('leave.title'),
      content: t('leave.words'),
      okText: t('leave.leave'),
      okButtonProps: { danger: true },
      cancelText: t('leave.stay'),
      onOk: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
    })
  }, [blocker, t])
  useEffect(() => {
    if (!busy) return
    // The browser asks in its own words.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])
}
