/** How login page and console will look: the same pictures and words at a smaller size. */
import { useTranslation } from 'react-i18next'
import { domainShowType } from '@gatehouse/contract/enums/organisation'
import type { Look } from '@gatehouse/contract/system/look'
import mark from '../../../theme/gate.svg'
import styles from '../system.module.css'

export function Preview({ look: { showType, enableSystemName, systemName, logoContent, background } }: { look: Look }) {
  const { t } = useTranslation('system')
  const name = (enableSystemName && systemName) || t('shell:product')
  const logo = (showType === domainShowType.custom && logoContent) || mark
  return (
    <section className={styles.sample} aria-label={t('look.preview')}>
      <h2>{t('look.previewLogin')}</h2>
      <div className={styles.login}>
        <div className={styles.loginForm}>
          <img src={logo} alt="" />
          <b>{name}</b>
          <small>{t('look.welcome')}</small>
          <i />
          <i />
          <i />
        </div>
        <div className={styles.loginPicture} style={background ? { backgroundImage: `url("${background}")` } : undefined} />
      </div>
      <h2>{t('look.previewMenu')}</h2>
      <div className={styles.console}>
        <div className={styles.consoleMenu}>
          <div className={styles.consoleBrand}>
            <img src={logo} alt="" />
            <span>{name}</span>
          </div>
          <i />
          <i />
          <i />
        </div>
        <div className={styles.consoleBody}>
          <div>
            <i />
            <i />
          </div>
        </div>
      </div>
    </section>
  )
}
