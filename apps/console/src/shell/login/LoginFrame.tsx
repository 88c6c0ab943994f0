/** What stands before the console: name and look of the installation, and what is to be done to get in. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useInstallation } from '../installation.ts'
import { Preferences } from '../layout/Preferences.tsx'
import { Mark } from '../Mark.tsx'
import { GatePicture } from './GatePicture.tsx'
import styles from './login.module.css'

interface LoginFrameProps {
  /** Below the name. */
  words?: string
  /** More than a few fields: the name makes room. */
  isLong?: boolean
  children: ReactNode
}

export function LoginFrame({ words, isLong = false, children }: LoginFrameProps) {
  const { t } = useTranslation('shell')
  const { systemName, logo, background } = useInstallation()
  return (
    <div className={styles.login}>
      <div className={styles.side}>
        <div className={styles.preferences}>
          <Preferences />
        </div>
        <main className={styles.form} data-long={isLong || undefined}>
          <div className={styles.brand}>
            {logo ? <img src={logo} alt="" /> : <Mark size={44} />}
            <h1 className={systemName === '' ? 'unseen' : undefined}>{systemName || t('product')}</h1>
            {words !== undefined && <p>{words}</p>}
          </div>
          {children}
        </main>
      </div>
      <div className={styles.picture} style={background ? { backgroundImage: `url("${background}")` } : undefined} aria-hidden="true">
        {!background && <GatePicture />}
      </div>
    </div>
  )
}
