/** Function modules to switch, of those there are: how the others stand is kept. What cannot be switched says why. */
import { Checkbox, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import type { PermissionModule } from '@gatehouse/contract'
import { isBuilt } from '@gatehouse/contract/built'
import { areaCalls, type OrganisationModule } from '@gatehouse/contract/organisation/areas'
import { sentenceOf } from '../../api/refusal.ts'
import { useRead } from '../../api/query.ts'
import styles from './organisation.module.css'

interface ModulesFieldProps {
  of: { id: string } | { parentId: string }
  /** Given by `<Form.Item>`. */
  id?: string
  value?: readonly string[]
  onChange?: (on: string[]) => void
}

export function ModulesField({ of, id, value = [], onChange }: ModulesFieldProps) {
  const { t } = useTranslation(['permissions', 'organisation'])
  const modules = useRead(areaCalls.modules, { query: of })
  if (modules.isError) return <p role="alert">{sentenceOf(modules.error)}</p>
  if (!modules.data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />
  const why = ({ available, enabled, enabledBelow }: OrganisationModule): string | null => {
    if (!available && !enabled) return t('organisation:modules.closedAbove')
    return enabled && enabledBelow > 0 ? t('organisation:modules.onBelow', { count: enabledBelow }) : null
  }
  const toggle = (module: string, on: boolean): void => onChange?.(on ? [...value, module] : value.filter((other) => other !== module))
  return (
    <div {...(id && { id })} className={styles.switches} role="group" aria-label={t('organisation:modules.title')} tabIndex={-1}>
      {modules.data
        .filter(({ module }) => isBuilt(module as PermissionModule))
        .map((one) => (
          <Checkbox
            key={one.module}
            checked={value.includes(one.module)}
            disabled={!one.available}
            onChange={(event) => toggle(one.module, event.target.checked)}
          >
            {t(`module.${one.module}`)}
            {why(one) && <small>{why(one)}</small>}
          </Checkbox>
        ))}
    </div>
  )
}
