/** Whether the screen is live. Says so in words only when it is not. */
import { Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLiveState } from '../../api/live.ts'
import styles from './layout.module.css'

export function LiveState() {
  const { t } = useTranslation('shell')
  const { state } = useLiveState()
  return (
    <Tooltip title={t(`live.${state}Hint`)}>
      <span className={styles.live} data-state={state} role="status">
        <i aria-hidden="true" />
        <span className={styles.liveWord}>{t(`live.${state}`)}</span>
      </span>
    </Tooltip>
  )
}
