/** Something destructive that waits five seconds, so that it can be undone by not being done. */
import { Button } from 'antd'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { feedback } from '../feedback.tsx'
import styles from '../kit.module.css'

/** Seconds in which it can be taken back. */
const UNDO_SECONDS = 5

/** Actions not yet done; leaving the console does them at once instead of losing them. */
const waiting = new Set<() => void>()
window.addEventListener('pagehide', () => {
  for (const act of waiting) act()
})

/** `undoable(t('deleting', { count }), () => remove.run(…))`: says what is about to happen and offers to take it back. */
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
