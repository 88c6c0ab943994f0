/** The number of permissions by module. */
import { useTranslation } from 'react-i18next'
import { BUILT_CODES } from '@gatehouse/contract/built'
import styles from '../identity.module.css'
import { groupsOf } from './granting.ts'
import { usePermissionWords } from './permissionWords.ts'

export function PermissionChips({ permissions }: { permissions: readonly string[] }) {
  const { t } = useTranslation('identity')
  const words = usePermissionWords()
  const offered = groupsOf(BUILT_CODES)
  const counted = offered
    .map(({ module, permissions: codes }) => ({
      module,
      count: codes.filter((code) => permissions.includes(code)).length,
      all: codes.length,
    }))
    .filter(({ count }) => count > 0)
  const full = counted.map(({ module, count, all }) => `${words.module(module)} ${count}/${all}`).join(t('common:listSeparator'))
  if (counted.length === offered.length && counted.every(({ count, all }) => count === all))
    return (
      <span className={styles.chips}>
        <span>{t('permission.everything')}</span>
      </span>
    )
  return (
    <span className={styles.chips} title={full}>
      {counted.map(({ module, count, all }) => (
        <span key={module}>
          {words.module(module)} {count === all ? '' : `${count}/${all}`}
        </span>
      ))}
    </span>
  )
}
