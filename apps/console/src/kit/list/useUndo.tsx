/** A destructive action that waits five seconds, so that it can be cancelled in time. */
import { Button } from 'antd'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { feedback } from '../feedback.tsx'
import styles from '../kit.module.css'

/** Seconds in which it can be cancelled. */
const UNDO_SECONDS = 5

/** Actions that still wait; leaving the console runs them at once instead of losing them. */
const waiting = new Set<() => void>()
window.addEventListener('pagehide', () => {
  for (const act of waiting) act()
})

/** Return a function that announces an action and offers to cancel it: `undoable(t('deleting', { count }), () => remove.run(…))`. */
export function useUndo(): (words: string, act: () => void) => void {
  const { t } = useTranslation()
  return useCallback(
    (words, act) => {
      const key = crypto.getRandomValues(new Uint32Array(1)).join()
      const finish = (done: boolean): void => {
        if (!waiting.delete(run)) return
        clearTimeout(timer)
        void feedback().then(({ notification }) => notification.destroy(key))
        if (done) act()
      }
      const run = (): void => finish(true)
      const timer = setTimeout(run, UNDO_SECONDS * 1000)
      waiting.add(run)
      const notice = {
        key,
        title: words,
        duration: 0,
        placement: 'bottom',
        closable: false,
        actions: (
          <Button type="primary" onClick={() => finish(false)}>
            {t('undo')}
          </Button>
        ),
        description: <i className={styles.countdown} style={{ animationDuration: `${UNDO_SECONDS}s` }} aria-hidden="true" />,
      } as const
      void feedback().then(({ notification }) => notification.open(notice))
    },
    [t],
  )
}
