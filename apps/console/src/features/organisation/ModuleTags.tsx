/** Function modules of an organisation that there are: those that are on in full, those that are off faint; each with its word. */
import { CheckOutlined, MinusOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { isBuilt } from '@gatehouse/contract/built'
import { FIXED_MODULES, SWITCHABLE_MODULES } from '@gatehouse/contract/organisation/areas'
import styles from './organisation.module.css'

export function ModuleTags({ on }: { on: readonly string[] }) {
  const { t } = useTranslation(['permissions', 'organisation'])
  const isOn = (module: string): boolean => on.includes(module) || (FIXED_MODULES as readonly string[]).includes(module)
  return (
    <ul className={styles.modules}>
      {[...SWITCHABLE_MODULES, ...FIXED_MODULES].filter(isBuilt).map((module) => (
        <li key={module} data-on={isOn(module) || undefined}>
          {isOn(module) ? <CheckOutlined /> : <MinusOutlined />}
          {t(`module.${module}`)}
          {!isOn(module) && <span className="unseen">{t('organisation:modules.off')}</span>}
        </li>
      ))}
    </ul>
  )
}
